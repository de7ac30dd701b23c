/** Files by path: a small workspace in which every guard passes. Tests add violations to it. */
export type Files = Readonly<Record<string, string>>

/** Packages that the settings import: the real ones, not stubs. */
export const settingsNeed: readonly string[] = ['@types/node', 'dependency-cruiser', 'vitest']

type Package = {
  readonly folder: string
  /** Names of packages of the workspace and of npm that it depends on. */
  readonly needs?: readonly string[]
  readonly needsForTests?: readonly string[]
  readonly isPublic?: true
  readonly sources: Files
}

/** Packages of npm that are stubs in `node_modules`. */
export const stubs: readonly string[] = ['dinero.js', 'express', 'fast-check', 'inversify', 'pg', 'zod']

const packages: readonly Package[] = [
  {
    folder: 'packages/core',
    isPublic: true,
    needs: ['dinero.js'],
    needsForTests: ['fast-check', 'vitest'],
    sources: {
      'index.ts': `export { digest } from './digest.ts'\nexport { zero } from './money.ts'\n`,
      'money.ts': `import { stub } from 'dinero.js'\n\nexport const zero: bigint = BigInt(stub)\n`,
      'digest.ts': `import { createHash } from 'node:crypto'\n
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex')\n`,
      'money.test.ts': `import { stub } from 'fast-check'
import { expect, test } from 'vitest'
import { zero } from './money.ts'\n
test('zero is the value of the stub', () => {
  expect(zero).toBe(BigInt(stub))
})\n`,
    },
  },
  {
    folder: 'packages/contracts',
    isPublic: true,
    needs: ['@quipu/core', 'fast-check', 'vitest'],
    sources: {
      'index.ts': `import { zero } from '@quipu/core'
import { stub } from 'fast-check'
import { expect, test } from 'vitest'\n
export function contract(): void {
  test('zero is the value of the stub', () => {
    expect(zero).toBe(BigInt(stub))
  })
}\n`,
    },
  },
  {
    folder: 'packages/wire',
    isPublic: true,
    needs: ['@quipu/core', 'zod'],
    sources: {
      'index.ts': `import { zero } from '@quipu/core'\nimport { stub } from 'zod'\n
export const text: string = String(zero + BigInt(stub))\n`,
    },
  },
  {
    folder: 'packages/memory',
    needs: ['@quipu/core'],
    sources: { 'index.ts': `export { zero as balance } from '@quipu/core'\n` },
  },
  {
    folder: 'packages/postgres',
    needs: ['@quipu/core', 'pg'],
    needsForTests: ['@quipu/contracts'],
    sources: {
      'index.ts': `import { zero } from '@quipu/core'\nimport { stub } from 'pg'\n
export const rows: readonly bigint[] = [zero, BigInt(stub)]\n`,
      'index.test.ts': `import { contract } from '@quipu/contracts'\n\ncontract()\n`,
    },
  },
  { folder: 'packages/simulators', sources: { 'index.ts': `export const port: number = 4004\n` } },
  {
    folder: 'packages/embedded-postgres',
    sources: { 'testing/vitest-global-setup.ts': `export function setup(): void {}\n` },
  },
  {
    folder: 'hosts/api',
    needs: ['@quipu/core', '@quipu/postgres', 'express', 'inversify'],
    sources: {
      'index.ts': `export { serve } from './serve.ts'\n`,
      'main.ts': `import { serve } from './serve.ts'\n\nserve()\n`,
      'serve.ts': `import { digest } from '@quipu/core'
import { rows } from '@quipu/postgres'
import { stub as express } from 'express'
import { stub as inversify } from 'inversify'\n
export const serve = (): string => digest([rows.length, express, inversify].join())\n`,
    },
  },
  {
    folder: 'hosts/local',
    needs: ['@quipu/api', '@quipu/simulators'],
    sources: {
      'main.ts': `import { serve } from '@quipu/api'\nimport { port } from '@quipu/simulators'\n
console.log(serve(), port)\n`,
      'test/harness/program-bundle.fixture.ts': `export function setup(): void {}\n`,
    },
  },
  {
    folder: 'docs/examples',
    needs: ['@quipu/core'],
    sources: { 'sum.ts': `import { zero } from '@quipu/core'\n\nconsole.log(zero)\n` },
  },
]

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** JSON as the formatter writes it in files other than package.json: what fits into a line is on one. */
const compact = (value: object): string => `${layout(value, '', 0)}\n`

/** @param before  the length of what is written before it on its line */
function layout(value: unknown, indent: string, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const named = Object.entries(value).map(([name, each]) => [isList ? '' : `"${name}": `, each as unknown] as const)
  const line = named.map(([name, each]) => name + layout(each, '', -Infinity)).join(', ')
  const whole = isList ? `[${line}]` : `{ ${line} }`
  if (before + whole.length <= 120) return whole
  const deeper = `${indent}  `
  const parts = named.map(([name, each]) => deeper + name + layout(each, deeper, deeper.length + name.length + 1))
  return `${isList ? '[' : '{'}\n${parts.join(',\n')}\n${indent}${isList ? ']' : '}'}`
}

const versions = (names: readonly string[], catalog = 'catalog:'): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name.startsWith('@quipu/') ? 'workspace:^' : catalog]))

/** The lines of a catalog: one for each package of npm. */
const entries = (names: readonly string[], version: string): string =>
  Array.from(new Set(names))
    .filter((name) => !name.startsWith('@quipu/'))
    .map((name) => `  '${name}': ${version}\n`)
    .join('')

const entry = (path: string, source: boolean): Record<string, string> => ({
  ...(source && { source: `./src/${path}.ts` }),
  types: `./dist/${path}.d.ts`,
  default: `./dist/${path}.js`,
})

const exported = (source: boolean): object => ({ '.': entry('index', source) })

function manifest(of: Package): string {
  return json({
    name: of.folder.replace(/^\w+/, '@quipu'),
    version: '0.0.0',
    description: 'Part of a workspace to plant violations in.',
    license: 'Apache-2.0',
    type: 'module',
    ...('index.ts' in of.sources && {
      exports: exported(true),
      keywords: ['quipu', 'payouts', 'qr'],
      files: ['dist', 'CHANGELOG.md', '!dist/**/*.fixture.*', '!dist/**/*.test.*', '!dist/**/*.map'],
    }),
    ...(of.isPublic
      ? { engines: { node: '>=22.19.0' }, publishConfig: { access: 'public', exports: exported(false) } }
      : { private: true }),
    dependencies: versions(of.needs ?? [], of.isPublic && 'catalog:ranges'),
    devDependencies: versions(of.needsForTests ?? []),
  })
}

function project({ needs = [], needsForTests = [] }: Package): string {
  const ofWorkspace = packages.filter((other) =>
    [...needs, ...needsForTests].includes(other.folder.replace(/^\w+/, '@quipu')),
  )
  return compact({
    extends: '../../packages/config/tsconfig.base.json',
    compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' },
    include: ['src'],
    references: ofWorkspace.map((other) => ({ path: `../../${other.folder}` })),
  })
}

const filesOf = (of: Package): [path: string, text: string][] => [
  [`${of.folder}/package.json`, manifest(of)],
  [`${of.folder}/tsconfig.json`, project(of)],
  ...Object.entries(of.sources).map(([path, text]): [string, string] => [`${of.folder}/src/${path}`, text]),
]

export const cleanWorkspace: Files = {
  '.gitignore': 'node_modules\ndist\n',
  'package.json': json({
    name: 'quipu',
    description: 'A workspace to plant violations in.',
    license: 'Apache-2.0',
    type: 'module',
    private: true,
    scripts: { start: 'node --import ./packages/runtime/require-node.mjs hosts/local/src/main.ts' },
  }),
  'pnpm-workspace.yaml': `packages: ['packages/*', 'hosts/*', 'docs/*']\ncatalog:\n${entries(
    [
      ...settingsNeed,
      ...packages.flatMap((of) => [...(of.needsForTests ?? []), ...(of.isPublic ? [] : (of.needs ?? []))]),
    ],
    '1.0.0',
  )}catalogs:\n  ranges:\n${entries(
    packages.flatMap((of) => (of.isPublic ? (of.needs ?? []) : [])),
    '^1.0.0',
  ).replaceAll('  ', '    ')}`,
  'packages/config/package.json': json({
    name: '@quipu/config',
    description: 'The settings under test.',
    license: 'Apache-2.0',
    type: 'module',
    private: true,
    devDependencies: versions(settingsNeed),
  }),
  'packages/config/tsconfig.solution.json': compact({
    files: [],
    references: [{ path: '.' }, ...packages.map(({ folder }) => ({ path: `../../${folder}` }))],
  }),
  ...Object.fromEntries(packages.flatMap(filesOf)),
}

export const packageFolders: readonly string[] = packages.map(({ folder }) => folder)
