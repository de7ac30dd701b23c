import { expect, test } from 'vitest'
import { cleanWorkspace } from './clean-workspace.fixture.ts'
import { breaches } from './house-rules.ts'
import { plant } from './workspace.fixture.ts'

/** Paths and texts are put together here, so that the rules do not find them in this file. */
const joined = (...parts: readonly string[]): string => parts.join('')

const source = 'packages/core/src/quote/quote.ts'

/** What a line says → the breach, and where it is one. */
const lines: readonly (readonly [breach: string, path: string, line: string])[] = [
  ['a note to oneself', source, joined('// TO', 'DO: round up')],
  ['a note to oneself', 'docs/glossary.md', joined('FIX', 'ME')],
  ['a note to oneself', 'packages/postgres/migrations/0001-tables.sql', joined('-- XX', 'X')],
  ['a test left out', 'packages/core/src/money.test.ts', joined('test', '.skip(')],
  ['a test left out', 'packages/core/src/money.test.ts', joined('describe', '.only(')],
  ['a test left out', 'packages/contracts/src/quote-store.contract.ts', joined('test', '.todo(')],
  ['a test left out', 'hosts/api/src/app.test.ts', joined('it', '.concurrent.skipIf(true)(')],
  ['a path of the place', source, joined("const home = '/wo", "rk/main/packages'")],
  ['a path of the place', 'docs/architecture.md', joined('see ../sha', 'red/spec.md')],
  ['a path of the place', 'pnpm-workspace.yaml', joined('store: /ho', 'me/ana/quipu')],
  ['only errors are classes', source, joined('export cla', 'ss Quote {')],
  ['name the thing', source, joined('type', ' IQuote = {}')],
  ['name the thing', source, joined('export type', ' QuoteManager = {}')],
  ['the compiler is silenced', source, joined('// @ts-', 'ignore')],
  ['the compiler is silenced', source, joined('// @ts-', 'expect-error')],
  ['a lint rule is silenced', source, joined('// oxlint-', 'disable-next-line no-console')],
  ['an amount becomes a float', source, joined('const price = Num', 'ber(quote.source.minor)')],
  ['an amount becomes a float', 'packages/wire/src/money.ts', joined('parse', 'Float(amount)')],
  ['the core reads no clock', source, 'const now = new Date()'],
]

/** Lines that look like a breach and are none. */
const innocent: readonly (readonly [path: string, line: string])[] = [
  ['packages/core/src/unavailable.ts', joined('export cla', 'ss Unavailable extends Error {')],
  ['packages/core/src/money.test.ts', joined('// @ts-', 'expect-error a quote is not an amount')],
  [source, joined('// oxlint-', 'disable-next-line no-console -- the last words of a process')],
  [source, 'const later = new Date(at.getTime() + 60_000)'],
  ['packages/runtime/src/system.ts', 'export const systemClock: Clock = () => new Date()'],
  ['packages/postgres/previous-version/build/program/program.mjs', joined('cla', 'ss Quote {')],
  ['docs/architecture.md', 'It lives at https://example.com/home/page and in /var/run/postgres.'],
]

test.each(lines)('%s is caught in %s: %s', (breach, path, line) => {
  expect(breaches([{ path, text: `first\n${line}\n` }])).toContainEqual(
    expect.stringContaining(`${path}:2: ${breach}`),
  )
})

test.each(innocent)('%s may say: %s', (path, text) => {
  expect(breaches([{ path, text }])).toEqual([])
})

test.each([
  ['the top level', 'vitest.config.ts'],
  ['the top level', 'scripts/release.sh'],
  ['one index.ts', 'packages/core/src/payout/index.ts'],
  ['one index.ts', 'hosts/api/src/http/index.ts'],
  ['a file is named', 'packages/core/src/utils.ts'],
  ['a file is named', 'packages/core/src/quote/quote-helper.ts'],
  ['a file is named', 'packages/core/src/common/quote.ts'],
  ['a file is named', 'packages/postgres/src/store-impl.test.ts'],
])('%s is caught in the path %s', (breach, path) => {
  expect(breaches([{ path, text: '' }])).toContainEqual(
    expect.stringContaining(`${path}: ${breach}`),
  )
})

/** What is wrong with a manifest → the breach, and the text that replaces another in it. */
const manifests: readonly (readonly [breach: string, from: string, to: string])[] = [
  ['the name is @quipu/core', '@quipu/core', '@quipu/kernel'],
  ['a description is missing', '"description"', '"summary"'],
  ['the license is Apache-2.0', 'Apache-2.0', 'MIT'],
  ['the type is module', '"module"', '"commonjs"'],
  ['engines.node of a public package is >=22.19.0', '"engines"', '"motors"'],
  ['engines.node of a public package is >=22.19.0', '>=22.19.0', '>=24'],
  ['files leave out dist/**/*.fixture.*', '"!dist/**/*.fixture.*",', ''],
  ['files leave out dist/**/*.test.*', '"!dist/**/*.test.*"', '"assets"'],
  ['a public package has publishConfig.access public', '"public"', '"restricted"'],
  [
    'publishConfig.exports is exports without the source',
    '"default": "./dist/i',
    '"default": "./i',
  ],
  ['dinero.js is catalog:ranges', '"catalog:ranges"', '"^2.0.0"'],
  ['dinero.js is catalog:ranges', '"catalog:ranges"', '"catalog:"'],
]

const whole = (replaced: Readonly<Record<string, string>>): { path: string; text: string }[] =>
  Object.entries({ ...cleanWorkspace, ...replaced }).map(([path, text]) => ({ path, text }))

test.each(manifests)('%s', (breach, from, to) => {
  const path = 'packages/core/package.json'
  const text = cleanWorkspace[path]?.replace(from, to) ?? ''
  expect(breaches(whole({ [path]: text }))).toEqual([expect.stringContaining(`${path}: ${breach}`)])
})

test('a public package that lists no files is caught', () => {
  const path = 'packages/core/package.json'
  const text = cleanWorkspace[path]?.replace('"files"', '"folders"') ?? ''
  const breach = `${path}: a public package lists its files`
  expect(breaches(whole({ [path]: text }))).toContain(breach)
})

test('an entry with a source alone is for this repository, and not published', () => {
  const path = 'packages/wire/package.json'
  const manifest = JSON.parse(cleanWorkspace[path] ?? '') as { exports: object }
  const fixture = { './testing': { source: './src/suite.fixture.ts' } }
  const exports = { ...manifest.exports, ...fixture }
  expect(breaches(whole({ [path]: JSON.stringify({ ...manifest, exports }) }))).toEqual([])
})

test.each(['4.1.0', '>=4', '^4', '^4.1.0 || 5'])('the range %s is caught', (range) => {
  const path = 'pnpm-workspace.yaml'
  const text = cleanWorkspace[path]?.replace("'zod': ^1.0.0", `'zod': ${range}`) ?? ''
  expect(breaches(whole({ [path]: text }))).toEqual([
    `${path}: the range of zod is ^ and a full version, or several with ||`,
  ])
})

test('a package that the compiler is not told of is caught', () => {
  const path = 'packages/config/tsconfig.solution.json'
  const text = cleanWorkspace[path]?.replace('packages/wire', 'packages/core') ?? ''
  expect(breaches(whole({ [path]: text }))).toEqual([`${path}: packages/wire is missing`])
})

test('a dependency that the compiler is not told of is caught', () => {
  const path = 'packages/wire/tsconfig.json'
  const text = cleanWorkspace[path]?.replace('packages/core"', 'packages/memory"') ?? ''
  expect(breaches(whole({ [path]: text }))).toEqual([
    `${path}: a reference to @quipu/core is missing`,
  ])
})

test('a workspace with breaches fails, and new files count', async () => {
  using planted = plant({ 'packages/core/src/utils.ts': 'export const a: number = 1\n' })
  const { code, output } = await planted.guard('house rules')
  expect(code).toBe(1)
  expect(output).toContain('packages/core/src/utils.ts: a file is named after a noun')
})
