import { createProcessRole, dropProcessRole } from '@quipu/postgres'
import { OwnerSettings } from '@quipu/runtime'
import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { removeSecretFile, writeSecretFile } from '../output/secret-file.ts'
import { ownerOf, settingsOf } from '../settings.ts'
import { scramVerifier } from './scram.ts'

/** The options of `role create`. */
export type CreateRoleOptions = { readonly out?: string; readonly json?: true }

/** Creates the role, and prints or writes the setting of the processes. @throws CommandError, also when the role exists */
export async function createRole(
  name: string,
  { out, json }: CreateRoleOptions,
  { terminal, env }: Context,
): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw usageError('<name> must be lower-case letters, digits and _, at most 63.')
  const settings = settingsOf(OwnerSettings, env)
  const password = randomBytes(24).toString('base64url')
  const url = new URL(settings.DATABASE_URL)
  url.username = name
  url.password = password
  const line = `DATABASE_URL=${url.href}\n`
  // The file comes first: a role whose password nobody has is of no use.
  if (out !== undefined) await writeSecretFile(out, line)
  const verifier = scramVerifier(password, randomBytes(16))
  const isNew = await atDatabase(
    'The role was not created',
    createProcessRole(ownerOf(settings), { name, password: verifier }),
  ).catch(async (error: unknown) => {
    if (out !== undefined) await removeSecretFile(out)
    throw error
  })
  if (!isNew) {
    if (out !== undefined) await removeSecretFile(out)
    throw new CommandError(
      exitCodes.refused,
      `The role ${name} exists: it got the rights and keeps its password. Nothing was written.`,
    )
  }
  if (json) terminal.out(`${JSON.stringify({ created: true, ...(out === undefined && { database_url: url.href }) })}\n`)
  else if (out === undefined) terminal.out(line)
}

/** Drops an old role of the processes. @throws CommandError saying what uses it */
export async function dropRole(
  name: string,
  { yes }: { readonly yes?: true },
  { terminal, env }: Context,
): Promise<void> {
  const settings = settingsOf(OwnerSettings, env)
  if (yes !== true && terminal.ask !== undefined) {
    const typed = await terminal.ask(`No process logs in as ${name} from then on. Type the name to go on: `)
    if (typed.trim() !== name) throw new CommandError(exitCodes.refused, 'Another name: nothing was changed.')
  }
  const problem = await atDatabase('The role was not dropped', dropProcessRole(ownerOf(settings), name))
  if (problem !== null) throw new CommandError(exitCodes.refused, `The role ${name} was not dropped: ${problem}.`)
  terminal.out(`The role ${name} was dropped.\n`)
}
