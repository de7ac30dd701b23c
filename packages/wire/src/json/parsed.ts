import type { z } from 'zod'

/** One fault of a request, in words that a tenant can act on. */
export type Issue = {
  /** Dotted path (`qr.content`), the query parameter's name, or `body` for the whole. */
  readonly field: string
  /** States what is allowed, after the field's name: `must be 1 to 100 characters …`. */
  readonly message: string
}

/** A value, or every fault of the text that it was read from. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** Reads a JSON value with a schema. Never throws; every offending field is listed once. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(value)
  if (result.success) return { ok: true, value: result.data }
  return { ok: false, issues: oncePerField(result.error.issues.flatMap(toIssues)) }
}

/** Maps a parsed value; issues pass unchanged. */
export const mapParsed = <T, U>(parsed: Parsed<T>, toValue: (value: T) => U): Parsed<U> =>
  parsed.ok ? { ok: true, value: toValue(parsed.value) } : parsed

/**
 * Reads an object whose shape depends on the text of one member.
 *
 * @param neither  the schema for a value whose member names no variant: it must refuse every value,
 *   and its issues are the ones reported
 */
export function parseVariant<V extends Readonly<Record<string, z.ZodType>>>(
  member: string,
  variants: V,
  neither: z.ZodType,
  value: unknown,
): Parsed<z.output<V[keyof V]>> {
  const name: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
  const variant = typeof name === 'string' && Object.hasOwn(variants, name) && variants[name]
  return parse(variant || neither, value) as Parsed<z.output<V[keyof V]>>
}

/** One sentence that names every offending field. */
export const describeIssues = (issues: readonly Issue[]): string =>
  `${issues.map(({ field, message }) => `${field} ${message}`).join('; ')}.`

/** The dotted path of a field. `""` is a name without characters. */
export const fieldAt = (path: readonly PropertyKey[]): string =>
  path.map((name) => (name === '' ? '""' : String(name))).join('.') || 'body'

/** The first issue of each field. */
export function oncePerField(issues: readonly Issue[]): readonly Issue[] {
  const seen = new Set<string>()
  return issues.filter(({ field }) => !seen.has(field) && seen.add(field))
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
  return names.map((name) => ({
    field: fieldAt([...issue.path, ...(name === undefined ? [] : [name])]),
    message: issue.message,
  }))
}
