import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Outcome, repository } from './command.ts'
import { plant } from './workspace.fixture.ts'

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('')

/** A rule → a source that violates it. Each is planted as a file of the wire package. */
const plants: Readonly<Record<string, string>> = {
  'eslint(max-lines)': lines(301, (index) => `export const a${index}: number = ${index}`),
  'eslint(max-lines-per-function)': `export function long(): void {\n${lines(80, () => '  void 0')}}\n`,
  'eslint(max-params)': `export const sum = (a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1): number =>
  a + b + c + d + e + f + g\n`,
  'import(no-cycle)': `import { text } from './import-no-cycle-again.ts'\n\nexport const first: string = text\n`,
  'import(no-default-export)': `export default 1\n`,
  'typescript(consistent-type-definitions)': `export interface Named {\n  readonly name: string\n}\n`,
  'typescript(consistent-type-imports)': `import { URL } from 'node:url'\n\nexport type Place = { readonly url: URL }\n`,
  'eslint(eqeqeq)': `export const same = (a: unknown, b: unknown): boolean => a == b\n`,
  'eslint(no-console)': `console.log('hello')\n\nexport {}\n`,
  'eslint(no-var)': `export var old: number = 1\n`,
  'eslint(prefer-const)': `let fixed = 1\n\nexport const fixedToo: number = fixed\n`,
  'typescript(no-explicit-any)': `export const whatever = (value: any): number => Number(value)\n`,
  'typescript(no-floating-promises)': `export const start = (): void => {\n  Promise.resolve()\n}\n`,
  'typescript(no-misused-promises)': `[1].forEach(async () => Promise.resolve())\n\nexport {}\n`,
  'typescript(no-misused-spread)': `export const copy = (of: Promise<string>): object => ({ ...of })\n`,
  'typescript(no-non-null-assertion)': `export const size = (text?: string): number => text!.length\n`,
  'typescript(no-unsafe-argument)': `export const whole = (): number => Number.parseInt(JSON.parse('1'))\n`,
  'typescript(no-unsafe-assignment)': `const parsed = JSON.parse('1')\n\nexport const one: string = String(parsed)\n`,
  'typescript(no-unsafe-call)': `export const called = (): void => {\n  JSON.parse('1')()\n}\n`,
  'typescript(no-unsafe-member-access)': `export const member = (): string => String(JSON.parse('{}').name)\n`,
  'typescript(no-unsafe-return)': `export const parse = (text: string): number => JSON.parse(text)\n`,
  'typescript(only-throw-error)': `export const fail = (): never => {\n  throw 'a text'\n}\n`,
  'typescript(prefer-promise-reject-errors)': `export const lost = (): Promise<never> => Promise.reject('a text')\n`,
  'typescript(return-await)': `export async function hasty(work: Promise<void>): Promise<void> {
  try {
    return work
  } finally {
    void 0
  }
}\n`,
  'typescript(switch-exhaustiveness-check)': `export function side(of: 'a' | 'b'): number {
  switch (of) {
    case 'a':
      return 1
  }
  return 2
}\n`,
  'typescript(use-unknown-in-catch-callback-variable)': `export const caught = (work: Promise<void>): Promise<void> =>
  work.catch((error) => {
    throw new Error('no', { cause: error })
  })\n`,
  'unicorn(filename-case)': `export const camel: number = 1\n`,
}

/** Joined at run time, so that the house rules do not find it in this file. */
const calling = (modifier: string): string => `test.${modifier}(`

/** A rule for tests → a source that violates it. */
const testPlants: Readonly<Record<string, string>> = {
  'vitest(no-disabled-tests)': `${calling('skip')}'is skipped', () => {\n  expect(1).toBe(1)\n})\n`,
  'vitest(no-focused-tests)': `${calling('only')}'runs alone', () => {\n  expect(1).toBe(1)\n})\n`,
  'vitest(no-identical-title)': `test('one', () => {\n  expect(1).toBe(1)\n})\ntest('one', () => {\n  expect(1).toBe(1)\n})\n`,
  'vitest(valid-expect)': `test('compares nothing', () => {\n  expect(1)\n})\n`,
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
  test: (rule: string): string => `packages/wire/src/${file(rule)}.test.ts`,
  core: (name: string): string => `packages/core/src/${file(name).toLowerCase()}.ts`,
  import: (name: string): string => `packages/core/src/${importPlants[name]}`,
}

type Diagnostic = { readonly code: string; readonly message: string; readonly filename: string }

const planted = plant({
  ...at(paths.wire, plants),
  ...at(paths.test, testPlants, (text) => `import { expect, test } from 'vitest'\n\n${text}`),
  ...at(paths.core, corePlants, (text) => `export const planted = (): unknown => ${text}\n`),
  ...at(
    paths.import,
    importPlants,
    (_, name) => `import * as all from '${name}'\n\nexport const names: string[] = Object.keys(all)\n`,
  ),
  'packages/wire/src/import-no-cycle-again.ts': `import { first } from './import-no-cycle.ts'\n\nexport const text: string = first\n`,
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

test.each(Object.keys(testPlants))('%s is caught in a test', (rule) => {
  expect(foundIn(paths.test(rule))).toContainEqual(expect.stringContaining(rule))
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

test('every rule that is enabled by name has a planted violation', () => {
  const text = readFileSync(join(repository, 'packages/config/oxlint.jsonc'), 'utf8')
  const { rules } = JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, '')) as { rules: object }
  const named = Object.entries(rules)
    .filter(([, severity]) => severity !== 'off')
    .map(([name]) => (name.includes('/') ? name : `eslint/${name}`).replace(/\/(.*)/, '($1)'))
  const rulesPlanted = Object.keys({ ...plants, ...testPlants })
  expect(named.toSorted()).toEqual(rulesPlanted.toSorted())
})
