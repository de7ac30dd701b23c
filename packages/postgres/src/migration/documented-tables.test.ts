import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const migrations = new URL('../../migrations/', import.meta.url)

/** The tables of a migration, each with whether a comment stands directly above it. Partitions have their table's. */
const tablesOf = (sql: string): readonly (readonly [table: string, isDocumented: boolean])[] =>
  Array.from(sql.matchAll(/^(.*)\ncreate (?:unlogged )?table quipu\.(\w+) \(/gm), ([, above = '', table = '']) => [
    table,
    above.startsWith('-- '),
  ])

test('each table says above it what a row is', () => {
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  const tables = files.flatMap((name) => tablesOf(readFileSync(new URL(name, migrations), 'utf8')))
  expect(tables.length).toBeGreaterThan(40)
  expect(tables.filter(([, isDocumented]) => !isDocumented)).toEqual([])
})
