import { z } from 'zod'
import { fieldAt, type Issue, oncePerField, parse, type Parsed, type Rule } from './parsed.ts'

/**
 * Reads a query string. An unknown, repeated or empty parameter is an issue, so that a typo in a filter does not widen the
 * list, and so is one that is no text in UTF-8.
 */
export function parseQuery<S extends z.ZodObject>(
  schema: S,
  search: URLSearchParams | string,
  ...rules: readonly Rule[]
): Parsed<z.output<S>> {
  const parameters = new URLSearchParams(search)
  const parsed = parse(schema, nested(schema, parameters), ...rules)
  const seen = new Set<string>()
  const repeated: Issue[] = [...parameters.keys()]
    .filter((name) => seen.has(name) || !seen.add(name))
    .map((name) => ({ field: fieldAt([name]), message: 'must be given once' }))
  const damaged: Issue[] = String(search)
    .split('&')
    .filter((pair) => !isDecodable(pair))
    .flatMap((pair) => Array.from(new URLSearchParams(pair).keys()))
    .map((name) => ({ field: fieldAt([name]), message: 'must be text in UTF-8, percent-encoded' }))
  const issues = [...repeated, ...damaged]
  if (issues.length === 0) return parsed
  return { ok: false, issues: oncePerField(parsed.ok ? issues : [...parsed.issues, ...issues]) }
}

/** The parameters, with `name[key]=value` as the members of an object where the schema has one. */
function nested({ shape }: z.ZodObject, parameters: URLSearchParams): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = Object.fromEntries(parameters)
  for (const [parameter, value] of parameters) {
    const [, name = '', key = ''] = /^(\w+)\[(.*)\]$/s.exec(parameter) ?? []
    if (!(shape[name] instanceof z.ZodOptional && shape[name].unwrap() instanceof z.ZodRecord)) continue
    delete given[parameter]
    given[name] = { ...(given[name] as object | undefined), [key]: value }
  }
  return given
}

/** Whether each escaped byte belongs to a character: those of an unpaired surrogate do not. */
function isDecodable(pair: string): boolean {
  try {
    decodeURIComponent(pair)
    return true
  } catch {
    return false
  }
}
