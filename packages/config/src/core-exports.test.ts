import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Exported, exportsOf } from './core-exports.ts'

const source = path.resolve(import.meta.dirname, '../../core/src')
const root = exportsOf(path.join(source, 'index.ts'))
const adapter = exportsOf(path.join(source, 'adapter.ts'))
const operator = exportsOf(path.join(source, 'operator.ts'))

const namesOf = (exported: readonly Exported[]): readonly string[] => exported.map(({ name }) => name)

test('@quipu/core exports at most 181 names', () => {
  expect(root.length).toBeLessThanOrEqual(181)
})

test('every use case has an example', () => {
  const useCases = [...root, ...operator].filter(({ isUseCase }) => isUseCase)
  expect(namesOf(useCases)).toContain('createPayout')
  expect(namesOf(useCases.filter(({ hasExample }) => !hasExample))).toEqual([])
})

test('the first page of the TypeScript reference links to exports only', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../api-docs.md'), 'utf8')
  const links = Array.from(page.matchAll(/@quipu\/(\w+)!(\w+) (\w+)/g))
  expect(links.length).toBeGreaterThanOrEqual(10)
  const wrong: string[] = []
  for (const [link, entry = '', name = '', shown] of links) {
    const exists = entry === 'core' ? namesOf(root).includes(name) : await declares(entry, name)
    if (!exists || shown !== name) wrong.push(link)
  }
  expect(wrong).toEqual([])
})

/** A declaration is enough: reading the types of every package takes seconds. */
async function declares(entry: string, name: string): Promise<boolean> {
  const folder = path.resolve(source, '../..', entry, 'src')
  const declaration = new RegExp(`^export (?:const|(?:async )?function) ${name}\\b`, 'm')
  for await (const file of glob('**/*.ts', { cwd: folder }))
    if (declaration.test(await readFile(path.join(folder, file), 'utf8'))) return true
  return false
}

test('no name is exported by two entries', () => {
  const names = namesOf([...root, ...adapter, ...operator])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('a missing docstring and a missing example are found', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'exports-'))
  const entry = path.join(folder, 'index.ts')
  await writeFile(
    entry,
    `type PayPorts = { readonly now: () => Date }
     export type Undocumented = string
     /** Pays. */
     export const pay = (ports: PayPorts) => () => ports.now()
     /** Adds. @example 1 */
     export const add = (a: number) => a + 1`,
  )
  const found = { isDocumented: true, isUseCase: false, hasExample: false }
  expect(exportsOf(entry)).toEqual([
    { ...found, name: 'Undocumented', isDocumented: false },
    { ...found, name: 'pay', isUseCase: true },
    { ...found, name: 'add', hasExample: true },
  ])
  await rm(folder, { recursive: true })
})
