import { z } from 'zod'

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

/**
 * A rule between members: its faults, none when it holds.
 *
 * Rules see the members as sent, so that their faults stand beside those of the members themselves.
 */
export type Rule = (given: Readonly<Record<string, unknown>>) => readonly Issue[]

/**
 * Reads a JSON value with a schema. Never throws; every offending field is listed once.
 *
 * A null for a member that may be left out is the same as leaving it out, as typed clients send it by default.
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown, ...rules: readonly Rule[]): Parsed<z.output<S>> {
  const given = withoutNulls(schema, value)
  const result = schema.safeParse(given)
  const broken = isObject(given) ? rules.flatMap((rule) => rule(given)) : []
  if (result.success && broken.length === 0) return { ok: true, value: result.data }
  const issues = result.success ? [] : result.error.issues.flatMap(toIssues)
  return { ok: false, issues: oncePerField([...issues, ...broken]) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value without the nulls of members that may be left out and have no null of their own. A copy only if it has one. */
function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (!isObject(value)) return value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return withoutNulls(schema.unwrap(), value)
  // A record overlooks this name without an issue: a list has the record's.
  if (schema instanceof z.ZodRecord) return Object.hasOwn(value, '__proto__') ? [] : value
  if (!(schema instanceof z.ZodObject)) return value
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>
  let kept = value
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (!known) continue
    if (member === null && mayBeLeftOut(known)) {
      const { [name]: _, ...others } = kept
      kept = others
      continue
    }
    const clean = withoutNulls(known, member)
    if (clean !== member) kept = { ...kept, [name]: clean }
  }
  return kept
}

const mayBeLeftOut = (schema: z.ZodType): boolean =>
  schema.safeParse(undefined).success && !schema.safeParse(null).success

/** Maps a parsed value; issues pass unchanged. */
export const mapParsed = <T, U>(parsed: Parsed<T>, toValue: (value: T) => U): Parsed<U> =>
  parsed.ok ? { ok: true, value: toValue(parsed.value) } : parsed

/**
 * Reads an object whose shape depends on the text of one member. A null for a member of another variant is the same
 * as leaving it out.
 *
 * @param neither  the schema for a value whose member names no variant: it must refuse every value,
 *   and its issues are the ones reported
 */
export function parseVariant<V extends Readonly<Record<string, z.ZodObject>>>(
  member: string,
  variants: V,
  neither: z.ZodType,
  value: unknown,
): Parsed<z.output<V[keyof V]>> {
  const name: unknown = isObject(value) ? value[member] : undefined
  const variant = typeof name === 'string' && Object.hasOwn(variants, name) && variants[name]
  if (!variant) return parse(neither, value) as Parsed<z.output<V[keyof V]>>
  const isForeign = ([each, given]: readonly [string, unknown]): boolean =>
    given === null &&
    !Object.hasOwn(variant.shape, each) &&
    Object.values(variants).some(({ shape }) => Object.hasOwn(shape, each))
  const members = Object.entries(value as object)
  const own = members.some(isForeign) ? Object.fromEntries(members.filter((each) => !isForeign(each))) : value
  return parse(variant, own) as Parsed<z.output<V[keyof V]>>
}

/** How many faults an answer lists, and how many characters of a field's name. */
const [issuesMax, fieldMax] = [20, 100]

/** The faults that an answer lists: one for each field, the first ones, with names that are cut, so that it is bounded. */
export const listedIssues = (issues: readonly Issue[]): readonly Issue[] =>
  oncePerField(issues)
    .slice(0, issuesMax)
    .map(({ field, message }) => ({ field: cut(field), message }))

function cut(field: string): string {
  if (field.length <= fieldMax) return field
  return `${field.slice(0, fieldMax).toWellFormed()}…`
}

/** One sentence that names every offending field, up to a limit. */
export function describeIssues(issues: readonly Issue[]): string {
  const listed = listedIssues(issues).map(({ field, message }) => `${field} ${message}`)
  const more = oncePerField(issues).length - listed.length
  return `${[...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}.`
}

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
