import { createProcessRole } from '@quipu/postgres'
import { commonSettings } from '@quipu/runtime'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { usageError } from '../exit.ts'
import { settingsOf } from '../settings.ts'
import { scramVerifier } from './scram.ts'

const Settings = z.object({ DATABASE_URL: commonSettings.DATABASE_URL })

/** Creates the role, and prints the setting of the processes. @throws CommandError */
export async function createRole(
  name: string,
  { json }: { readonly json?: true },
  { terminal, env }: Context,
): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw usageError('<name> must be lower-case letters, digits and _, at most 63.')
  const { DATABASE_URL: owner } = settingsOf(Settings, env)
  const password = randomBytes(24).toString('base64url')
  const verifier = scramVerifier(password, randomBytes(16))
  const isNew = await atDatabase(
    'The role was not created',
    createProcessRole(owner, { name, password: verifier }),
  )
  const url = new URL(owner)
  url.username = name
  url.password = isNew ? password : ''
  if (json) return terminal.out(`${JSON.stringify({ created: isNew, database_url: url.href })}\n`)
  terminal.out(`DATABASE_URL=${url.href}\n`)
  if (!isNew) terminal.error(`The role ${name} exists: add its password to the URL.\n`)
}
