import { describe, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

/** Runs work in a transaction of the superuser's session, and undoes it. */
async function undone<T>(work: () => Promise<T>): Promise<T> {
  await harness.sql('begin')
  try {
    return await work()
  } finally {
    await harness.sql('rollback')
  }
}

type Found = {
  readonly check?: string
  readonly kind?: string
  readonly subject?: string
  readonly detail?: string | null
  readonly expected?: number | null
  readonly found?: number | null
}

/** Records a difference as a check in the database does. */
const record = (over: Found = {}): Promise<unknown> => {
  const { check = 'ledger', kind = 'held', subject = 'wal_1', detail = 'off' } = over
  const { expected = null, found = null } = over
  return harness.sql('select quipu.record_difference($1, null, $2, $3, $4, $5, $6)', [
    check,
    kind,
    subject,
    detail,
    expected,
    found,
  ])
}

const rows = () =>
  harness.sql(`select concat_ws(' ', check_name, kind, subject) as about, status, detail, currency
    from quipu.difference order by change`)
const statuses = async () => Object.fromEntries((await rows()).map(({ about, status }) => [about, status]))

/** Differences that have two of check, kind and subject in common with the one of `record`, and an earlier one. */
async function recordNeighbours(): Promise<void> {
  await record()
  await record({ detail: null })
  await record({ check: 'audit' })
  await record({ kind: 'available' })
  await record({ subject: 'wal_2' })
}

const neighbours = { 'audit held wal_1': 'open', 'ledger available wal_1': 'open', 'ledger held wal_2': 'open' }

describe('a difference of the checks in the database', () => {
  test('is in USDT when it has an amount', async () => {
    await undone(async () => {
      await record({ subject: 'none' })
      await record({ subject: 'one', expected: 1 })
      await record({ subject: 'other', found: 2 })
      await record({ subject: 'both', expected: 1, found: 2 })
      expect((await rows()).map(({ currency }) => currency)).toEqual([null, 'USDT', 'USDT', 'USDT'])
    })
  })

  test('is gone alone', async () => {
    await undone(async () => {
      await recordNeighbours()
      await record()
      expect(await statuses()).toEqual({ ...neighbours, 'ledger held wal_1': 'open' })
      await record({ detail: null })
      expect(await statuses()).toEqual({ ...neighbours, 'ledger held wal_1': 'gone' })
      expect(await rows()).toHaveLength(5)
    })
  })

  test('changes alone', async () => {
    await undone(async () => {
      await recordNeighbours()
      await record()
      await record({ detail: 'more' })
      const details = (await rows()).map(({ detail }) => detail)
      expect(details).toEqual(['off', 'off', 'off', 'off', 'more'])
    })
  })
})

describe('the end of a run of a process', () => {
  const resolve = (check: string) =>
    harness.sql(`select quipu.resolve_differences($1, '', '2026-04-01T00:00:05Z') as n`, [check])

  test.each(['ledger', 'audit'])('is refused for a check of the database: %s', async (check) => {
    await undone(async () => {
      await record({ check })
      await expect(resolve(check)).rejects.toThrow(/are resolved by the store alone/)
    })
  })
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
