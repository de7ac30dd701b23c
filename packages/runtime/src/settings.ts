import type { z } from 'zod'

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
