import { expect, test } from 'vitest'
import { chosenBinaries } from './postgres-build.ts'

test('a folder without the programs of PostgreSQL is refused with the name of the setting', () => {
  expect(() => chosenBinaries('/nowhere/bin')).toThrow(
    /^--postgres-bin must be the folder `bin` of a PostgreSQL 18, with postgres, initdb and pg_ctl; .*postgres(\.exe)? is missing\.$/,
  )
  expect(chosenBinaries(undefined)).toBeUndefined()
})
