import { expect, test } from 'vitest'
import type { JsonSchema } from '../testing/json-schema.ts'
import { operatorOpenApi } from './operator.ts'
import { publicOpenApi } from './public.ts'

const document = publicOpenApi()

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = typeof (value as JsonSchema).pattern === 'string' ? [(value as JsonSchema).pattern] : []
  return [...own.filter((pattern) => pattern !== undefined), ...Object.values(value).flatMap(patternsIn)]
}

test('no schema has the name of a global, which a generated type would shadow', () => {
  const names = Object.keys(document.components?.schemas ?? {})
  // Go and PHP have no such globals; Java's are among these.
  const globals = new Set([...Object.getOwnPropertyNames(globalThis), 'Exception', 'Record'])
  expect(names).toContain('Payout')
  expect(names.filter((name) => globals.has(name))).toEqual([])
})

/** The members of a schema or document, at any depth, that have this name. */
const membersNamed = (name: string, value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [
        ...(key === name ? [member] : []),
        ...(key.startsWith('example') ? [] : membersNamed(name, member)),
      ])
    : []

test('nothing that openapi-generator makes code of which does not compile', () => {
  for (const each of [document, operatorOpenApi()]) {
    expect(each).not.toHaveProperty('webhooks') // Python, TypeScript: operations without the events' types.
    expect(membersNamed('uniqueItems', each)).toEqual([]) // Java: a set of an enumeration.
    expect(membersNamed('const', each).filter((value) => typeof value === 'boolean')).toEqual([]) // Java: a boolean.
  }
})

test('every pattern means the same in the regular expressions of other languages', () => {
  const patterns = [...new Set(patternsIn(document))]
  expect(patterns.length).toBeGreaterThan(15)
  // Unicode escapes, lookaround, back references and long repetitions differ in Go, Java, PHP or Python.
  const special = /\\[upPk1-9]|\(\?[=!<]|\{\d*,?\d{4,}\}/
  expect(patterns.filter((pattern) => special.test(pattern))).toEqual([])
  for (const pattern of patterns) {
    expect(() => new RegExp(pattern), pattern).not.toThrow()
    expect(() => new RegExp(pattern, 'u'), pattern).not.toThrow()
  }
})
