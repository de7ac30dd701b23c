import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outcome } from './command.ts'
import { plant } from './workspace.fixture.ts'

/** A limit of this repository → a source that violates it. Each is planted as a file of the wire package. */
const plants: Readonly<Record<string, string>> = {
  'eslint(max-lines)': 'export {}\n'.repeat(301),
  'eslint(max-lines-per-function)': `export function long(): void {\n${'  void 0\n'.repeat(80)}}\n`,
  'typescript(no-floating-promises)': `export const start = (): void => {\n  Promise.resolve()\n}\n`,
  'unicorn(filename-case)': `export const camel: number = 1\n`,
}

/** A global that the core must not use → a use of it. */
const corePlants: Readonly<Record<string, string>> = {
  Buffer: `Buffer.from('a')`,
  crypto: `crypto.randomUUID()`,
  fetch: `fetch('http://127.0.0.1')`,
  globalThis: `globalThis.name`,
  performance: `performance.now()`,
  process: `process.env`,
  queueMicrotask: `queueMicrotask(() => {})`,
  setImmediate: `setImmediate(() => {})`,
  setInterval: `setInterval(() => {}, 1)`,
  setTimeout: `setTimeout(() => {}, 1)`,
  'Date.now': `Date.now()`,
  'Math.random': `Math.random()`,
}

/** A module that the core must not import → the file in which the import is planted. */
const importPlants: Readonly<Record<string, string>> = {
  pg: 'payout/pay.ts',
  'node:crypto': 'payout/hash.ts',
  'node:fs': 'ledger/file.ts',
  'dinero.js': 'quote/price.ts',
  zod: 'quote/parse.ts',
}

const file = (rule: string): string =>
  rule === 'unicorn(filename-case)' ? 'camelCase' : rule.replace(/\W+/g, '-').replace(/-$/, '')

const paths = {
  wire: (rule: string): string => `packages/wire/src/${file(rule)}.ts`,
  core: (name: string): string => `packages/core/src/${file(name).toLowerCase()}.ts`,
  import: (name: string): string => `packages/core/src/${importPlants[name]}`,
}

type Diagnostic = { readonly code: string; readonly message: string; readonly filename: string }

const planted = plant({
  ...at(paths.wire, plants),
  ...at(paths.core, corePlants, (text) => `export const planted = (): unknown => ${text}\n`),
  ...at(
    paths.import,
    importPlants,
    (_, name) => `import * as all from '${name}'\n\nexport const names: string[] = Object.keys(all)\n`,
  ),
  'packages/wire/src/silenced.ts': `// oxlint-disable-next-line no-console -- nothing here\nexport const quiet: number = 1\n`,
  'packages/core/src/clock.test.ts': `import { expect, test } from 'vitest'\n\ntest('a test reads the clock', () => {\n  expect(Date.now()).toBeGreaterThan(0)\n})\n`,
})
let outcome: Outcome
let found: readonly Diagnostic[]

function at(
  path: (name: string) => string,
  texts: Readonly<Record<string, string>>,
  whole: (text: string, name: string) => string = (text) => text,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [path(name), whole(text, name)]))
}

beforeAll(async () => {
  outcome = await planted.guard('lint', '--format=json')
  found = (JSON.parse(outcome.output) as { diagnostics: Diagnostic[] }).diagnostics
})
afterAll(() => planted[Symbol.dispose]())

const foundIn = (path: string): string[] =>
  found.filter(({ filename }) => filename === path).map(({ code, message }) => `${code} ${message}`)

test('a workspace with violations fails', () => {
  expect(outcome.code).toBe(1)
})

test.each(Object.keys(plants))('%s is caught', (rule) => {
  expect(foundIn(paths.wire(rule))).toContainEqual(expect.stringContaining(rule))
})

test.each(Object.keys(corePlants))('%s is caught in the core', (name) => {
  expect(foundIn(paths.core(name))).toContainEqual(
    expect.stringMatching(new RegExp(`no-restricted-(globals|properties).*'${name}'`)),
  )
})

test.each(Object.keys(importPlants))('an import of %s is caught in the core', (name) => {
  expect(foundIn(paths.import(name))).toContainEqual(
    expect.stringMatching(new RegExp(`no-restricted-imports.*'${name}'`)),
  )
})

test('a test of the core may read the clock', () => {
  expect(foundIn('packages/core/src/clock.test.ts')).toEqual([])
})

test('an unused disable directive is caught', () => {
  expect(foundIn('packages/wire/src/silenced.ts')).toContainEqual(expect.stringMatching(/unused/i))
})
