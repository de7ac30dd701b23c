import { expect, test } from 'vitest'
import { cleanWorkspace } from './clean-workspace.fixture.ts'
import { breaches } from './house-rules.ts'
import { plant } from './workspace.fixture.ts'

/** Joins a planted text at run time, so that the rules do not find it in this file. */
const joined = (...parts: readonly string[]): string => parts.join('')

const source = 'packages/core/src/quote/quote.ts'

/** A breach, the path of a file, and a line that is this breach there. */
const lines: readonly (readonly [breach: string, path: string, line: string])[] = [
  ['an unfinished part', source, joined('// TO', 'DO: round up')],
  ['an unfinished part', 'docs/glossary.md', joined('FIX', 'ME')],
  ['an unfinished part', 'packages/postgres/migrations/0001-tables.sql', joined('-- XX', 'X')],
  ['a skipped or exclusive test', 'packages/core/src/money.test.ts', joined('test', '.skip(')],
  ['a skipped or exclusive test', 'packages/core/src/money.test.ts', joined('describe', '.only(')],
  ['a skipped or exclusive test', 'packages/contracts/src/quote-store.contract.ts', joined('test', '.todo(')],
  ['a skipped or exclusive test', 'hosts/api/src/app.test.ts', joined('it', '.concurrent.skipIf(true)(')],
  ['a wait with a time limit', 'packages/core/src/money.test.ts', joined('await vi.wait', 'For(found)')],
  ['a wait with a time limit', 'hosts/api/src/test/api.fixture.ts', joined('poll(found, { time', 'out: 60_000 })')],
  ['a path of one machine', source, joined("const home = '/wo", "rk/main/packages'")],
  ['a path of one machine', 'docs/architecture.md', joined('see ../sha', 'red/spec.md')],
  ['a path of one machine', 'pnpm-workspace.yaml', joined('store: /ho', 'me/ana/quipu')],
  ['a class that is no error', source, joined('export cla', 'ss Quote {')],
  ['a name for a role', source, joined('type', ' IQuote = {}')],
  ['a name for a role', source, joined('export type', ' QuoteManager = {}')],
  ['a silenced compiler error', source, joined('// @ts-', 'ignore')],
  ['a silenced compiler error', source, joined('// @ts-', 'expect-error')],
  ['a disabled lint rule', source, joined('// oxlint-', 'disable-next-line no-console')],
  ['an amount as a float', source, joined('const price = Num', 'ber(quote.source.minor)')],
  ['an amount as a float', 'packages/wire/src/money.ts', joined('parse', 'Float(amount)')],
  ['a clock in the core', source, 'const now = new Date()'],
]

/** Lines that resemble a breach and are allowed. */
const innocent: readonly (readonly [path: string, line: string])[] = [
  ['packages/core/src/unavailable.ts', joined('export cla', 'ss Unavailable extends Error {')],
  ['packages/core/src/money.test.ts', joined('// @ts-', 'expect-error a quote is not an amount')],
  [source, joined('// oxlint-', 'disable-next-line no-console -- the last words of a process')],
  [source, 'const later = new Date(at.getTime() + 60_000)'],
  ['packages/core/src/system/system.ts', 'export const systemClock: Clock = () => new Date()'],
  ['docs/architecture.md', 'It lives at https://example.com/home/page and in /var/run/postgres.'],
]

test.each(lines)('%s is caught in %s: %s', (breach, path, line) => {
  expect(breaches([{ path, text: `first\n${line}\n` }])).toContainEqual(expect.stringContaining(`${path}:2: ${breach}`))
})

test.each(innocent)('%s may contain: %s', (path, text) => {
  expect(breaches([{ path, text }])).toEqual([])
})

test.each([
  ['a file at the top level', 'vitest.config.ts'],
  ['a file at the top level', 'scripts/release.sh'],
  ['a second index.ts', 'packages/core/src/payout/index.ts'],
  ['a second index.ts', 'hosts/api/src/http/index.ts'],
  ['a vague file name', 'packages/core/src/utils.ts'],
  ['a vague file name', 'packages/core/src/quote/quote-helper.ts'],
  ['a vague file name', 'packages/core/src/common/quote.ts'],
  ['a vague file name', 'packages/postgres/src/store-impl.test.ts'],
])('%s is caught in the path %s', (breach, path) => {
  expect(breaches([{ path, text: '' }])).toContainEqual(expect.stringContaining(`${path}: ${breach}`))
})

test('a folder of more than 30 production files is caught', () => {
  const file = (name: string) => ({ path: `packages/core/src/payout/${name}.ts`, text: '' })
  const files = Array.from({ length: 30 }, (_, index) => file(`step-${index}`))
  expect(breaches([...files, file('pay.test'), file('rows.fixture')])).toEqual([])
  expect(breaches([...files, file('pay')])).toEqual([
    'packages/core/src/payout: 31 production files: divide them by noun',
  ])
})

/** A breach, and the text of a manifest whose replacement causes it. */
const manifests: readonly (readonly [breach: string, from: string, to: string])[] = [
  ['set name to @quipu/core', '@quipu/core', '@quipu/kernel'],
  ['add a description', '"description"', '"summary"'],
  ['set license to Apache-2.0', 'Apache-2.0', 'MIT'],
  ['set type to module', '"module"', '"commonjs"'],
  ['set engines.node to >=22.19.0', '"engines"', '"motors"'],
  ['set engines.node to >=22.19.0', '>=22.19.0', '>=24'],
  ['add !dist/**/*.fixture.* to files', '"!dist/**/*.fixture.*",', ''],
  ['add !dist/**/*.test.* to files', '"!dist/**/*.test.*"', '"assets"'],
  ['add !dist/**/*.map to files', '"!dist/**/*.map"', '"assets"'],
  ['add CHANGELOG.md to files', '"CHANGELOG.md"', '"assets"'],
  ['add three keywords or more', '"keywords"', '"words"'],
  ['set publishConfig.access to public', '"public"', '"restricted"'],
  ['set repository.url to that of the root', '"license"', '"repository":{"url":"x"},"license"'],
  ['set publishConfig.exports to exports without the source', '"default": "./dist/i', '"default": "./i'],
  ['set dinero.js to catalog:ranges', '"catalog:ranges"', '"^2.0.0"'],
  ['set dinero.js to catalog:ranges', '"catalog:ranges"', '"catalog:"'],
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
  const breach = `${path}: list the published files in files`
  expect(breaches(whole({ [path]: text }))).toContain(breach)
})

test('a public package names the repository of the root, and its folder there', () => {
  const path = 'packages/core/package.json'
  const url = 'git+https://github.com/pagos/quipu.git'
  const withRepository = (file: string, repository: object): [string, string] => {
    const manifest = JSON.parse(cleanWorkspace[file] ?? '') as object
    return [file, JSON.stringify({ ...manifest, repository })]
  }
  const breachesOf = (core: object): readonly string[] =>
    breaches(
      whole(
        Object.fromEntries([
          withRepository('package.json', { type: 'git', url }),
          ...['contracts', 'wire'].map((name) =>
            withRepository(`packages/${name}/package.json`, { url, directory: `packages/${name}` }),
          ),
          withRepository(path, core),
        ]),
      ),
    )
  expect(breachesOf({ url, directory: 'packages/core' })).toEqual([])
  expect(breachesOf({ url, directory: 'core' })).toEqual([`${path}: set repository.directory to packages/core`])
  expect(breachesOf({ directory: 'packages/core' })).toEqual([
    `${path}: set repository.url to that of the root: ${url}`,
  ])
})

test('an entry with a source only is not published', () => {
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
    `${path}: set the range of zod to ^ with a full version, or to several joined with ||`,
  ])
})

test('a package missing from the solution is caught', () => {
  const path = 'packages/config/tsconfig.solution.json'
  const text = cleanWorkspace[path]?.replace('packages/wire', 'packages/core') ?? ''
  expect(breaches(whole({ [path]: text }))).toEqual([`${path}: add a reference to packages/wire`])
})

test('a dependency missing from the references of its project is caught', () => {
  const path = 'packages/wire/tsconfig.json'
  const text = cleanWorkspace[path]?.replace('packages/core"', 'packages/memory"') ?? ''
  expect(breaches(whole({ [path]: text }))).toEqual([`${path}: add a reference to @quipu/core`])
})

test('a breach in a file that git does not track yet fails the guard', async () => {
  using planted = plant({ 'packages/core/src/utils.ts': 'export const a: number = 1\n' })
  const { code, output } = await planted.guard('house rules')
  expect(code).toBe(1)
  expect(output).toContain('packages/core/src/utils.ts: a vague file name')
})
