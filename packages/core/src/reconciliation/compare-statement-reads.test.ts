import { expect, test } from 'vitest'
import { line, minute, payment, slice, statementHarness } from './compare-statement.fixture.ts'

test('a line of the last instant is of the next slice', async () => {
  const { compare } = statementHarness([line('po_1', 30)], [payment('po_1', 30)])
  expect(await compare(slice)).toEqual({ compared: 0, differences: 0 })
  expect(await compare({ from: minute(30), to: minute(60) })).toMatchObject({ compared: 1 })
})

test('a slice without lines and payouts has one read, no query and no record', async () => {
  const { compare, reads, queries, differences } = statementHarness([], [])
  await compare(slice)
  expect(reads).toEqual([{ from: minute(-5), to: minute(35) }])
  expect(queries).toEqual([])
  expect(differences.writes).toEqual(['resolve 2026-11-20T10:00:00.000Z'])
})

test('payments are queried by the thousand, and differences are written by fifties', async () => {
  const lines = Array.from({ length: 2_345 }, (_, n) => line(`other_${n}`, 1 + n / 1_000))
  const { compare, differences, queries } = statementHarness(lines, [])
  await compare(slice)
  expect(queries).toEqual([1_000, 1_000, 345])
  expect(differences.writes.slice(0, 3)).toEqual(['record 50', 'record 50', 'record 1'])
  expect(differences.all().at(-1)).toMatchObject({
    check: 'network',
    kind: 'unknown_here',
    tenantId: null,
    expected: null,
    found: null,
    subject: '2026-11-20T10:00:00.000Z unknown_here',
    detail: '2245 more differences of this kind, not recorded one by one',
  })
})

test('a hundred differences of a kind are recorded, and nothing about others', async () => {
  const lines = Array.from({ length: 100 }, (_, n) => line(`other_${n}`, 1))
  const { compare, differences } = statementHarness(lines, [])
  expect(await compare(slice)).toEqual({ compared: 100, differences: 100 })
  expect(differences.writes.slice(0, -1)).toEqual(['record 50', 'record 50'])
})

test('a payout that was created after the first line that was read needs no second read', async () => {
  for (const created of [0, 1]) {
    const { compare, found, reads } = statementHarness([], [payment('po_1', 2, { created })])
    await compare(slice)
    expect(found()).toEqual(['absent_there po_1'])
    expect(reads).toHaveLength(1)
  }
})

test('the second read begins before the oldest payout, and ends when all were found', async () => {
  const { compare, found, reads, read } = statementHarness(
    [line('po_1', -599), line('po_2', -299), line('po_3', -10)],
    [payment('po_2', 2, { created: -300 }), payment('po_1', 1, { created: -600 })],
  )
  await compare(slice)
  expect(found()).toEqual([])
  expect(reads.at(-1)).toEqual({ from: minute(-605), to: minute(-5) })
  expect(read).toEqual(['po_1', 'po_2'])
})
