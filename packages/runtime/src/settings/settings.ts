import { z } from 'zod'
import { logLevels } from '../log/log.ts'

/** A configuration that cannot be used. Its message lists every variable at fault. */
export class BadSettings extends Error {
  override readonly name = 'BadSettings'
}

/**
 * Reads a host's settings from environment variables; an empty variable counts as unset.
 *
 * @throws BadSettings naming every variable that is missing or wrong, and what it may be
 */
export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new BadSettings(`These settings cannot be used:\n${lines.join('\n')}`)
}

/** A whole number in a variable. */
export function whole(min: number, max: number): z.ZodCoercedNumber {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule)
}

/** What can be sent in a header: a line's end that came with a secret's file cannot. */
const headerText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const headerRule = 'must be ASCII, without a space or a line’s end around it'

/** A secret in a variable that is sent in a header. @param missing  said when there is none */
export const headerSecret = (missing?: string): z.ZodString =>
  z.string(missing).regex(headerText, headerRule)

const databaseRule = 'is required: postgres://user:password@host:port/database'

/** As the driver reads it, which lets the host be a socket's folder among the parameters. */
const isDatabaseUrl = (text: string): boolean =>
  /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@socket/'))

/** The variables that every host reads which settles payouts. */
export const commonSettings: {
  readonly DATABASE_URL: z.ZodString
  readonly QR_NETWORK_URL: z.ZodURL
  readonly QR_NETWORK_TOKEN: z.ZodString
  readonly LOG_LEVEL: z.ZodDefault<z.ZodEnum<{ [Level in (typeof logLevels)[number]]: Level }>>
} = {
  DATABASE_URL: z
    .string(databaseRule)
    .refine(isDatabaseUrl, databaseRule)
    .describe('The PostgreSQL 18 database, migrated.'),
  QR_NETWORK_URL: z
    .url({ protocol: /^https?$/, error: 'is required: the http(s) URL of the QR network' })
    .describe('Where the QR network is.'),
  QR_NETWORK_TOKEN: headerSecret('is required: the bearer token for the QR network').describe(
    'Bearer token for the QR network.',
  ),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('info')
    .describe('The least severe lines that are written.'),
}
