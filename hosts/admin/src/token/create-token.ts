import { makeOperatorToken, operatorTokenDaysMax, type OperatorRole, personPattern } from '@quipu/core/operator'
import { bootstrapOperatorToken } from '@quipu/postgres'
import { OwnerSettings } from '@quipu/runtime'
import { systemClock, systemIds, systemRandom } from '@quipu/core/system'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { usageError } from '../exit.ts'
import { ownerOf, settingsOf } from '../settings.ts'
import { removeSecretFile, writeSecretFile } from '../output/secret-file.ts'

export type CreateTokenOptions = {
  readonly role: OperatorRole
  readonly label: string
  readonly days: string
  readonly out?: string
  readonly json?: true
}

/** Issues a token as the database's owner, and prints it once. @throws CommandError */
export async function createToken(
  person: string,
  options: CreateTokenOptions,
  { terminal, env }: Context,
): Promise<void> {
  const { out, json } = options
  const request = requestOf(person, options)
  const owner = ownerOf(settingsOf(OwnerSettings, env))
  const ports = { ids: systemIds, now: systemClock, random: systemRandom }
  const { secret, issued } = makeOperatorToken(ports, request)
  // The file comes first: a token in the database that nobody has would stay valid.
  if (out !== undefined) await writeSecretFile(out, `${secret}\n`)
  try {
    await atDatabase('The token was not issued', bootstrapOperatorToken(owner, issued))
  } catch (error) {
    if (out !== undefined) await removeSecretFile(out)
    throw error
  }
  const { id, label, role, fingerprint, expiresAt } = issued.token
  const expires_at = expiresAt.toISOString()
  const shown = { id, person, label, role, fingerprint, expires_at }
  if (json) return terminal.out(`${JSON.stringify({ ...shown, ...(out === undefined && { token: secret }) })}\n`)
  const place = out === undefined ? 'It is printed only here' : `It is in ${out}`
  terminal.error(
    `Issued a token of ${person} with the role ${role} until ${expires_at}. ${place}; its fingerprint is ${fingerprint}.\n`,
  )
  if (out === undefined) terminal.out(`${secret}\n`)
}

function requestOf(person: string, { role, label, days }: CreateTokenOptions) {
  if (!personPattern.test(person))
    throw usageError(
      '<person> must be 1 to 64 lowercase letters, digits, dots, underscores, hyphens and at signs, beginning with a letter or digit.',
    )
  if (label.trim() === '' || label.length > 100) throw usageError('--label must have 1 to 100 characters.')
  if (!/^[1-9][0-9]{0,2}$/.test(days) || Number(days) > operatorTokenDaysMax)
    throw usageError(`--days must be a whole number from 1 to ${operatorTokenDaysMax}.`)
  const expiresAt = new Date(systemClock().getTime() + Number(days) * 86_400_000)
  return { person, label, role, expiresAt }
}
