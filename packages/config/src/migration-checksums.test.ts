import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { changedMigrations, checksumsFile, checksumsOf } from './migration-checksums.ts'

const home = path.resolve(import.meta.dirname, '../../postgres')
const migrations = path.join(home, 'migrations')
const recorded = readFileSync(path.join(migrations, checksumsFile), 'utf8')
const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as {
  version: string
}

test('no recorded migration has changed', () => {
  expect(recorded).toContain('  0001-tenants.sql\n')
  expect(changedMigrations(recorded, checksumsOf(migrations), version)).toEqual([])
})

test.each([
  ['changed', recorded.replace(/^.(.*0003-quotes\.sql)$/m, '-$1')],
  ['removed', recorded.replace(/^.*0003-quotes\.sql\n/m, '')],
])('a migration that is %s is reported, with what to do before and after 0.1.0', (_, current) => {
  expect(changedMigrations(recorded, current, '0.0.0')).toEqual([
    '0003-quotes.sql has changed. Migrations are frozen from 0.1.0 on. Until then commit the change, run ' +
      '`npx -y pnpm@12 previous-version`, which writes the checksums too, and commit again.',
  ])
  expect(changedMigrations(recorded, current, '0.1.0')).toEqual([
    '0003-quotes.sql has changed. Migrations are frozen since 0.1.0: restore the file, and add a new migration.',
  ])
})

test('a new migration is no change', () => {
  const current = `${checksumsOf(migrations)}${'0'.repeat(64)}  9999-later.sql\n`
  expect(changedMigrations(recorded, current, version)).toEqual([])
})
