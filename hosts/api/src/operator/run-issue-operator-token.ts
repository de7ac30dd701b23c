import { parseArgs } from 'node:util'
import {
  makeOperatorToken,
  operatorRoles,
  operatorTokenDaysMax,
  personPattern,
} from '@quipu/core/operator'
import { bootstrapOperatorToken } from '@quipu/postgres'
import {
  BadSettings,
  commonSettings,
  readSettings,
  systemClock,
  systemIds,
  systemRandom,
} from '@quipu/runtime'
import { z } from 'zod'

const { DATABASE_URL } = commonSettings
const OwnerSettings = z.object({ DATABASE_URL })

const usage = `usage: issue-operator-token PERSON ROLE [--label LABEL] [--days DAYS]
  PERSON  the stable name: lowercase letters, digits, dots, underscores, hyphens, at signs
  ROLE    ${operatorRoles.join(', ')}
  LABEL   where the person keeps the token; default: first token
  DAYS    until it expires: 1 to ${operatorTokenDaysMax}; default: 90
DATABASE_URL is that of the role that migrates. The token is printed once.`

/** @returns undefined when an argument is wrong */
function readRequest() {
  const options = { label: { type: 'string' }, days: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [person = '', roleName, ...more] = positionals
  const role = operatorRoles.find((each) => each === roleName)
  const { label = 'first token', days = '90' } = values
  const isDays = /^[1-9][0-9]{0,2}$/.test(days) && Number(days) <= operatorTokenDaysMax
  if (!role || !personPattern.test(person) || more.length > 0 || !isDays) return undefined
  if (label === '' || label.length > 100) return undefined
  const expiresAt = new Date(systemClock().getTime() + Number(days) * 86_400_000)
  return { person, label, role, expiresAt }
}

/** The message of an error of the database is safe to print: it contains no hash of another token. */
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

try {
  const request = readRequest()
  if (request === undefined) {
    process.stderr.write(`${usage}\n`)
    process.exitCode = 2
  } else {
    const settings = readSettings(OwnerSettings, process.env)
    const ports = { ids: systemIds, now: systemClock, random: systemRandom }
    const { secret, issued } = makeOperatorToken(ports, request)
    await bootstrapOperatorToken(settings.DATABASE_URL, issued)
    const { person, role, expiresAt, fingerprint } = issued.token
    process.stderr.write(
      `Issued a token of ${person} with the role ${role}, fingerprint ${fingerprint}, until ${expiresAt.toISOString()}.\n`,
    )
    process.stdout.write(`${secret}\n`)
  }
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error
  const prefix = error instanceof BadSettings || isUsage ? '' : 'No token was issued: '
  process.stderr.write(`${prefix}${messageOf(error)}\n${isUsage ? `${usage}\n` : ''}`)
  process.exitCode = isUsage ? 2 : 1
}
