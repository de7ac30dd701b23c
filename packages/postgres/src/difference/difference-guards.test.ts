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

/** Records a difference as a process does, at this second. */
const put = (over: Found & { readonly currency?: string }, second = 0): Promise<unknown> => {
  const { check = 'network', kind = 'unknown_here', subject = 'po_1', detail = 'off' } = over
  const { expected = null, found = null, currency = null } = over
  const seen = { check_name: check, kind, subject, detail, scope: '', currency }
  const amounts = { expected_amount: expected, found_amount: found }
  return harness.sql(
    `select quipu.record_differences(jsonb_build_array($1::jsonb || jsonb_build_object('id',
       'dif_' || nextval('quipu.difference_change'))), '2026-04-01Z'::timestamptz + $2 * interval '1 s')`,
    [JSON.stringify({ ...seen, ...amounts }), second],
  )
}

const columns = `concat_ws(' ', check_name, kind, subject) as about, status, detail, currency,
  expected_amount::int as expected, found_amount::int as found,
  extract(epoch from found_at - '2026-04-01Z')::float8 as found_at,
  extract(epoch from last_seen_at - '2026-04-01Z')::float8 as seen_at,
  extract(epoch from gone_at - '2026-04-01Z')::float8 as gone_at`
const rows = () => harness.sql(`select ${columns} from quipu.difference order by change`)
const changes = async () =>
  (await harness.sql('select change from quipu.difference order by found_at, change')).map(({ change }) =>
    Number(change),
  )
const statuses = async () => Object.fromEntries((await rows()).map(({ about, status }) => [about, status]))

const close = `update quipu.difference set closed_at = now(), closed_by = 'ana', close_reason = 'known'`

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

const low = { check: 'liquidity', kind: 'below_floor', subject: 'network' }

describe('a difference that a process sees again', () => {
  const start = { about: 'network unknown_here po_1', status: 'open', found_at: 0, gone_at: null }
  const amounts = { expected: 100, found: 107, currency: 'BOB' }

  test('is the same while it is off by the same', async () => {
    await undone(async () => {
      await put(amounts)
      const before = await changes()
      await put({ expected: 200, found: 207, currency: 'USDT', detail: 'later' }, 5)
      expect(await rows()).toEqual([
        { ...start, detail: 'later', currency: 'USDT', expected: 200, found: 207, seen_at: 5 },
      ])
      expect(await changes()).toEqual(before)
      await put({ expected: 200, found: 208, currency: 'USDT', detail: 'later' }, 3)
      expect(await rows()).toEqual([
        { ...start, detail: 'later', currency: 'USDT', expected: 200, found: 208, seen_at: 5 },
      ])
      expect(await changes()).not.toEqual(before)
    })
  })

  test('is the same without amounts while its text is', async () => {
    await undone(async () => {
      await put({})
      const before = await changes()
      await put({}, 5)
      expect(await changes()).toEqual(before)
      await put({ detail: 'other' }, 5)
      expect(await changes()).not.toEqual(before)
      await put({ ...amounts, detail: 'other' }, 6)
      expect(await rows()).toEqual([{ ...start, ...amounts, detail: 'other', seen_at: 6 }])
    })
  })

  test('is always the same when it is about liquidity', async () => {
    await undone(async () => {
      await put({ ...low, ...amounts })
      const before = await changes()
      await put({ ...low, ...amounts, found: 90, detail: 'less' }, 5)
      expect(await changes()).toEqual(before)
      expect(await rows()).toMatchObject([{ found: 90, detail: 'less', seen_at: 5 }])
    })
  })

  test('stays closed while it is the same, and is new when it is not', async () => {
    await undone(async () => {
      await put({ ...amounts, subject: 'po_0' })
      await put(amounts)
      await harness.sql(`${close} where subject = 'po_1'`)
      await put({ ...amounts, detail: 'seen' }, 5)
      const closed = { ...start, ...amounts, status: 'closed', detail: 'off', seen_at: 5 }
      const neighbour = { ...start, ...amounts, about: 'network unknown_here po_0', detail: 'off', seen_at: 0 }
      expect(await rows()).toEqual([neighbour, closed])
      await put(amounts, 3)
      expect(await rows()).toEqual([neighbour, closed])
      await put({ ...amounts, found: 108 }, 7)
      expect(await rows()).toEqual([
        neighbour,
        { ...closed, gone_at: 7 },
        { ...start, ...amounts, found: 108, detail: 'off', found_at: 7, seen_at: 7 },
      ])
    })
  })

  test.each([
    ['ledger', 'available'],
    ['ledger', 'tenant'],
    ['audit', 'entry'],
    ['audit', 'credit'],
  ])('is refused when it is one of the database: %s, %s', async (check, kind) => {
    await undone(async () => {
      await expect(put({ check, kind })).rejects.toThrow(/^no process finds a difference of/)
    })
  })
})

describe('the end of a run of a process', () => {
  const resolve = (check: string) =>
    harness.sql(`select quipu.resolve_differences($1, '', '2026-04-01T00:00:05Z') as n`, [check])

  test('makes what it has not seen gone', async () => {
    await undone(async () => {
      await put({})
      await put({ subject: 'seen' }, 5)
      await put(low)
      expect(await resolve('network')).toEqual([{ n: 1 }])
      expect((await rows()).map(({ gone_at }) => gone_at)).toEqual([5, null, null])
    })
  })

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
