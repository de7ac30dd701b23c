import { spawnSync } from 'node:child_process'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { format } from 'node:util'
import * as core from '@quipu/core'
import * as operator from '@quipu/core/operator'
import * as system from '@quipu/core/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openExample, type Example } from './core-examples.fixture.ts'

// The `@example` of each use case of the core is compiled, run, and compared with the comments after its output.

const root = path.resolve(import.meta.dirname, '../../..')
const folder = path.resolve(import.meta.dirname, '../dist/core-examples')

type Code = { readonly name: string; readonly code: string }

const withExample =
  /@example\n \* ```ts\n((?: \*.*\n)+?) \* ```(?:(?!\*\/)[^])*\*\/\nexport (?:const|(?:async )?function) (\w+)/g

async function examplesOf(file: string): Promise<readonly Code[]> {
  const text = await readFile(file, 'utf8')
  return Array.from(text.matchAll(withExample), ([, code = '', name = '']) => ({
    name,
    code: code.replaceAll(/^ \* ?/gm, ''),
  }))
}

/** The module of an example: what it uses of the core is imported, and what it prints is handed over. */
function moduleOf({ code }: Code): string {
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code)
  return `import { ${Object.keys(core).filter(uses).join(', ')} } from '@quipu/core'
import { ${Object.keys(operator).filter(uses).join(', ')} } from '@quipu/core/operator'
import { ${Object.keys(system).filter(uses).join(', ')} } from '@quipu/core/system'
import type { Example } from '../../src/core-examples.fixture.ts'

type Console = { log(...values: readonly unknown[]): void }

export default async (example: Example, console: Console): Promise<void> => {
  const { ${['ports', 'tenant', 'qr', 'chain', 'apiKey', 'ana', 'bea'].filter(uses).join(', ')} } = example
${code}}
`
}

/** The output of an example by its comments. */
const expectedOf = ({ code }: Code): readonly string[] =>
  Array.from(code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm), ([, printed = '']) => printed)

type Run = (example: Example, console: { log(...values: readonly unknown[]): void }) => Promise<void>

const examples: Code[] = []
for await (const file of glob('packages/core/src/**/*.ts', { cwd: root }))
  examples.push(...(await examplesOf(path.join(root, file))))
examples.sort((a, b) => (a.name < b.name ? -1 : 1))

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  for (const example of examples) await writeFile(path.join(folder, `${example.name}.ts`), moduleOf(example))
  const base = path.join(root, 'packages/config/tsconfig.base.json')
  const noOutput = {
    noEmit: true,
    composite: false,
    incremental: false,
    isolatedDeclarations: false,
    noUnusedLocals: false,
  }
  const compilerOptions = { ...noOutput, rootDir: root }
  const settings = { extends: base, compilerOptions, include: ['*.ts'] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings))
})
afterAll(() => rm(folder, { recursive: true }))

test('every example compiles', () => {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

test.each(examples)('the example of $name prints what it says', async (example) => {
  const { default: run } = (await import(path.join(folder, `${example.name}.ts`))) as { default: Run }
  const printed: string[] = []
  await run(await openExample(), { log: (...values) => printed.push(format(...values)) })
  expect(printed).toEqual(expectedOf(example))
  expect(printed).not.toEqual([])
})
