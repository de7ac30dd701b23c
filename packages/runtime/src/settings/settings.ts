import { MAX_MINOR, parseMoney, type Usdt, usdt } from '@quipu/core'
import { cellLetters } from '@quipu/core/adapter'
import { z } from 'zod'
import { logLevels } from '../log/log.ts'
import { databaseUrl, standbySettings } from './database-settings.ts'

/** Settings that a program refuses to start with. The message lists every variable at fault. */
export class BadSettings extends Error {
  override readonly name = 'BadSettings'
}

/** Why a variable is refused. The message follows the variable's name: `must be …`. */
export type SettingIssue = { readonly variable: string; readonly message: string }

/** The issue of a variable that is at fault. */
export const issueIf = (isAtFault: boolean, variable: string, message: string): readonly SettingIssue[] =>
  isAtFault ? [{ variable, message }] : []

/**
 * Reads a host's settings from environment variables; an empty variable counts as unset.
 *
 * @throws BadSettings naming every variable that is missing or wrong, and the values it may have
 */
export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(set)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new BadSettings(`These settings cannot be used:\n${lines.join('\n')}`)
}

/** A whole number in a variable. */
export function whole(min: number, max: number): z.ZodCoercedNumber {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule)
}

/** A variable that is true or false; false when it is unset. */
export const flag: z.ZodPipe<
  z.ZodDefault<z.ZodEnum<{ true: 'true'; false: 'false' }>>,
  z.ZodTransform<boolean, 'true' | 'false'>
> = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true')

const amountRule = 'must be an amount of USDT such as 1.00, with at most six decimals'

/** An amount of USDT in a variable. */
export const usdtAmount: z.ZodPipe<z.ZodString, z.ZodTransform<Usdt, string>> = z
  .string()
  .refine((text) => parseMoney('USDT', text) !== undefined, amountRule)
  .transform((text): Usdt => parseMoney('USDT', text) ?? usdt(MAX_MINOR))

/** Text that an HTTP header can carry: not the newline at the end of a secret's file. */
const headerText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const headerRule = 'must be ASCII, without a space or a line’s end around it'

/** A secret that is sent in an HTTP header. @param missing  message when it is not set */
export const headerSecret = (missing?: string): z.ZodString => z.string(missing).regex(headerText, headerRule)

/** The variables that API and worker share. */
export const commonSettings: {
  readonly CELL: z.ZodOptional<z.ZodString>
  readonly DATABASE_URL: typeof databaseUrl
  readonly DATABASE_STANDBY: (typeof standbySettings)['DATABASE_STANDBY']
  readonly LOG_LEVEL: z.ZodDefault<z.ZodEnum<{ [Level in (typeof logLevels)[number]]: Level }>>
} = {
  CELL: z
    .string()
    .regex(new RegExp(`^[${cellLetters}]$`), `must be one letter of ${cellLetters}`)
    .optional()
    .describe(
      'The letter of this cell, where an installation has outgrown one database: new API keys and ids carry it. `quipu-admin migrate` stores it; a process with another letter does not start.',
    ),
  DATABASE_URL: databaseUrl,
  ...standbySettings,
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('info')
    .describe('Least severe level that is logged.'),
}
