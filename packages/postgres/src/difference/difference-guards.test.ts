import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test.each(['ledger', 'audit'])('a process does not end a run of a check of the database: %s', async (check) => {
  await harness.sql(`select quipu.record_difference($1, null, 'held', 'wal_1', 'off', null, null)`, [check])
  const resolve = `select quipu.resolve_differences($1, '', '2026-04-01T00:00:05Z')`
  await expect(harness.sql(resolve, [check])).rejects.toThrow(/are resolved by the store alone/)
})

test('an id is its instant and 80 random bits, in the digits of Crockford', async () => {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const at = new Date('2026-04-01T02:03:04.567Z')
  let [time, rest] = ['', at.getTime()]
  for (; time.length < 10; rest = Math.floor(rest / 32)) time = digits.charAt(rest % 32) + time
  const ids = (
    await harness.sql(`select quipu.new_id('dif', $1::timestamptz) as id from generate_series(1, 1000)`, [at])
  ).map(({ id }) => String(id))
  expect(new Set(ids.map((id) => id.slice(0, 14)))).toEqual(new Set([`dif_${time}`]))
  expect(new Set(ids.map((id) => id.length))).toEqual(new Set([30]))
  for (let place = 14; place < 30; place++)
    expect([...new Set(ids.map((id) => id.charAt(place)))].toSorted().join('')).toBe(digits)
})
