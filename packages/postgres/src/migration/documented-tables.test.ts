import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
beforeAll(async () => {
  harness = await openStoreHarness()
})
afterAll(() => harness.close())

type Documented = ReadonlyMap<string, readonly string[]>

/**
 * The tables of architecture.md, each with its writing functions; functions that write no table are at ''.
 */
async function documented(): Promise<Documented> {
  const file = new URL('../../../../docs/architecture.md', import.meta.url)
  const [, section = ''] = /\n### Tables\n([^]*?)\n##/.exec(await readFile(file, 'utf8')) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Table'))
  const cells = rows.map((row) => row.split(' | ').map(codesIn))
  expect(cells.every((row) => row.length === 4)).toBe(true)
  return new Map(cells.map(([[table = ''] = [], , writers = []]) => [table, writers]))
}

const codesIn = (cell: string): string[] => Array.from(cell.matchAll(/`(\w+)`/g), ([, code = '']) => code)

type Routine = { readonly isCallable: boolean; readonly definition: string }

/** The functions that write each table, directly or by functions that they call. */
async function catalog(): Promise<Documented> {
  const tables = await harness.sql(`
    select relname as name from pg_class
    where relnamespace = 'quipu'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const found = await harness.sql(`
    select proname as name, prosecdef as callable, pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'quipu'::regnamespace and prokind = 'f'`)
  const routines = new Map(
    found.map(({ name, callable, definition }): [string, Routine] => [
      String(name),
      { isCallable: callable === true, definition: String(definition) },
    ]),
  )
  const writers = new Map<string, string[]>(tables.map(({ name }) => [String(name), []]))
  writers.set('', [])
  for (const [name, { isCallable }] of routines) {
    if (!isCallable) continue
    const written = writtenBy(name, routines)
    for (const table of written.size > 0 ? written : ['']) writers.get(table)?.push(name)
  }
  return writers
}

/** The tables that a function writes, directly or by functions that it calls. */
function writtenBy(name: string, routines: ReadonlyMap<string, Routine>, seen = new Set<string>()): Set<string> {
  const { definition = '' } = routines.get(name) ?? {}
  if (seen.has(name)) return new Set()
  seen.add(name)
  const found = (pattern: RegExp): string[] => Array.from(definition.matchAll(pattern), ([, word = '']) => word)
  const own = found(/\b(?:insert into|update|delete from) quipu\.(\w+)/gi)
  const called = found(/\bquipu\.(\w+)\(/g)
  return new Set([...own, ...called.flatMap((next) => [...writtenBy(next, routines, seen)])])
}

const sorted = (tables: Documented): Record<string, readonly string[]> =>
  Object.fromEntries([...tables].map(([table, writers]) => [table, writers.toSorted()]).toSorted())

test('architecture.md lists exactly the tables and the functions that write them', async () => {
  expect(sorted(await documented())).toEqual(sorted(await catalog()))
})
