import type { z } from 'zod'
import { fieldAt, type Issue, oncePerField, parse, type Parsed, type Rule } from './parsed.ts'

/**
 * Reads a query string. An unknown, repeated or empty parameter is an issue, so that a typo in a
 * filter does not widen the list.
 */
export function parseQuery<S extends z.ZodObject>(
  schema: S,
  search: URLSearchParams | string,
  ...rules: readonly Rule[]
): Parsed<z.output<S>> {
  const parameters = new URLSearchParams(search)
  const parsed = parse(schema, Object.fromEntries(parameters), ...rules)
  const seen = new Set<string>()
  const repeated: Issue[] = [...parameters.keys()]
    .filter((name) => seen.has(name) || !seen.add(name))
    .map((name) => ({ field: fieldAt([name]), message: 'must be given once' }))
  if (repeated.length === 0) return parsed
  return { ok: false, issues: oncePerField(parsed.ok ? repeated : [...parsed.issues, ...repeated]) }
}
