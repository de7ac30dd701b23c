import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlOf, useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
beforeAll(async () => {
  for (let n = 0; n < 12; n++) await harness.newTenant()
  await harness.sql(`create table keys as select tenant_id, row_number() over (order by tenant_id)::int as n
    from quipu.wallet`)
})

/** Runs work in a transaction, and undoes it. */
async function undone<T>(work: () => Promise<T>): Promise<T> {
  await harness.sql('begin')
  try {
    return await work()
  } finally {
    await harness.sql('rollback')
  }
}

/** Runs a slice of the check. @returns how many wallets it checked */
async function slice(wallets: number, size: number, everySeconds = 0): Promise<number> {
  const [row] = await harness.sql('select quipu.check_ledger($1, $2, $3) as checked', [wallets, size, everySeconds])
  return Number(row?.['checked'])
}

const count = async (condition: string): Promise<number> => {
  const [row] = await harness.sql(
    `select count(*)::int as n from quipu.ledger_check c join keys k using (tenant_id) where ${condition}`,
  )
  return Number(row?.['n'])
}

/** Gives each wallet another instant of its last recheck, the oldest one to the last wallet. */
const spreadRechecks = () =>
  harness.sql(`update quipu.ledger_check c set rechecked_at = '2000-01-01Z'::timestamptz - k.n * interval '1 day'
    from keys k where k.tenant_id = c.tenant_id`)

const isChecked = `checked_at > '-infinity'`
const isRechecked = `rechecked_at > '2000-01-01Z'`

describe('a slice of the check', () => {
  test('has at most the number of wallets that it is given, each once in the period', async () => {
    await undone(async () => {
      expect(await slice(5, 10, 3600)).toBe(5)
      expect(await count(isChecked)).toBe(5)
      expect(await slice(20, 10, 3600)).toBe(7)
      expect(await count(isChecked)).toBe(12)
      expect(await slice(20, 10, 3600)).toBe(0)
      expect(await slice(20, 10, -1)).toBe(12)
    })
  })

  test('skips wallets that another session checks', async () => {
    const other = new pg.Client(harness.stores.url)
    await other.connect()
    try {
      await undone(async () => {
        expect(await slice(12, 10)).toBe(12)
        const sql = sqlOf(other)
        await sql(`set lock_timeout = '200ms'`)
        expect(await sql('select quipu.check_ledger(12, 10, 0) as checked')).toEqual([{ checked: 0 }])
      })
    } finally {
      await other.end()
    }
  })
})

describe('a part of the recheck', () => {
  const recheck = (rows: number, size = 5, everySeconds = 0) =>
    harness.sql('select quipu.recheck_ledger($1, $2, $3)', [everySeconds, size, rows])
  test('rechecks each wallet once in the period, the oldest first', async () => {
    await undone(async () => {
      await spreadRechecks()
      // The log and the payouts of a wallet are a slice each.
      await recheck(100, 5, 3600)
      expect(await count(isRechecked)).toBe(1)
      expect(await count(`k.n = 12 and ${isRechecked}`)).toBe(1)
      await recheck(10_000, 5, 3600)
      expect(await count(isRechecked)).toBe(12)
      await harness.sql(`update quipu.ledger_check set rechecked_payout = 'kept'`)
      await recheck(10_000, 5, 3600)
      expect(await count(`rechecked_payout = 'kept'`)).toBe(12)
    })
  })

  test('skips wallets that another session rechecks', async () => {
    const other = new pg.Client(harness.stores.url)
    await other.connect()
    try {
      await undone(async () => {
        await recheck(10_000)
        const sql = sqlOf(other)
        await sql(`set lock_timeout = '200ms'; begin`)
        await sql('select quipu.recheck_ledger(0, 5, 10000)')
        const rows = await sql(`select from quipu.ledger_check where rechecked_at > '-infinity'`)
        expect(rows).toEqual([])
      })
    } finally {
      await other.end()
    }
  })
})
