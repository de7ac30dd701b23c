import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForgedBooks, openForgedBooks } from '../test/forged-books.fixture.ts'

let books: ForgedBooks
beforeAll(async () => {
  books = await openForgedBooks()
})
afterAll(() => books.close())

const tenants = ['A', 'B', 'C']

/** Checks the new entries of every wallet. */
async function check(): Promise<void> {
  for (const label of tenants) await books.sql(`select quipu.check_wallet('{${label}}', 100)`)
}

type Progress = {
  readonly seq: number
  readonly checkpoint: number
  readonly payout: string | null
  readonly is_done: boolean
}

async function progress(label: string): Promise<Progress> {
  const [row] = await books.sql(`select (rechecked).seq::int as seq, rechecked_checkpoint::int as checkpoint,
    rechecked_payout as payout, rechecked_at > '-infinity' as is_done
    from quipu.ledger_check where tenant_id = '{${label}}'`)
  return row as Progress
}

/** Rechecks the log of a wallet in slices of this size, in at most this many. @returns the sizes of the slices */
async function recheckLog(label: string, size: number, slices = 30): Promise<readonly number[]> {
  const sizes: number[] = []
  while (sizes.length < slices && (await progress(label)).payout === null) {
    const [row] = await books.sql(`select quipu.recheck_log('{${label}}', ${size}) as n`)
    sizes.push(Number(row?.['n']))
  }
  return sizes
}

/** The findings of a recheck of all logs after this change. */
const foundBy = (text: string, size = 100): Promise<readonly string[]> =>
  books.undone(async () => {
    await check()
    await books.forge(text)
    for (const label of tenants) await recheckLog(label, size)
    return books.found()
  })

/** Checkpoints of A at these entries, and one of B, as the product adds them. */
const checkpoints = (...sizes: readonly number[]): string =>
  [
    ...sizes.map((size) => `select quipu.checkpoint_balance('{A}', ${size})`),
    `select quipu.checkpoint_balance('{B}', 5)`,
  ].join(';')
const lastSeq = async (): Promise<number> =>
  Number((await books.sql(`select seq from quipu.wallet where tenant_id = '{A}'`))[0]?.['seq'])

describe.each([100, 3, 1])('in slices of %i', (size) => {
  test('nothing is found in logs that are right, with their checkpoints', async () => {
    const last = await lastSeq()
    for (const sizes of [[], [4, 3], [1, last - 2, 1]]) {
      expect(await foundBy(checkpoints(...sizes), size)).toEqual([])
    }
  })

  test('an amount is found that is another one than before', async () => {
    const found = await foundBy(
      `update quipu.payout_end set amount = amount + 1 where payout_id in ('{failed of A}', '{paid of B}')`,
      size,
    )
    const changed = 'postings were added in the past, or removed'
    expect(found).toContain(`A recheck wallet of A: ${changed}`)
    expect(found).toContain(`B recheck wallet of B: ${changed}`)
  })
})

describe('a checkpoint is found that is not the sum', () => {
  const columns = ['deposit', 'capture', 'release', 'adjustment_in', 'adjustment_out']
  test.each(columns)('of %s', async (column) => {
    const found = await foundBy(`${checkpoints(8, 2)};
      update quipu.balance_checkpoint set ${column} = ${column} + 1 where through_seq in (5, 8)`)
    expect(found).toEqual([
      'A checkpoint wallet of A, balance checkpoint of entry 8: the checkpoint is not the sum of the entries up to it',
      'B checkpoint wallet of B, balance checkpoint of entry 5: the checkpoint is not the sum of the entries up to it',
    ])
  })

  test('up to an entry of that instant', async () => {
    const last = await lastSeq()
    const found = await foundBy(`${checkpoints(last)};
      update quipu.balance_checkpoint set through_at = '2000-01-01Z' where through_seq = ${last}`)
    expect(found).toEqual([
      `A checkpoint wallet of A, balance checkpoint of entry ${last}: the checkpoint is not the sum of the entries up to it`,
    ])
  })

  test('also of the first entry, and by the second recheck', async () => {
    await books.undone(async () => {
      await check()
      await books.forge(checkpoints(1, 5))
      await recheckLog('A', 100)
      expect(await books.found()).toEqual([])
      await books.forge(`
        update quipu.ledger_check set rechecked_payout = null;
        update quipu.balance_checkpoint set adjustment_in = 7 where through_seq = 1`)
      await recheckLog('A', 100)
      expect(await books.found()).toEqual([
        'A checkpoint wallet of A, balance checkpoint of entry 1: the checkpoint is not the sum of the entries up to it',
      ])
    })
  })
})

describe('the progress of a recheck', () => {
  test('is one slice, up to the next checkpoint, of this wallet only', async () => {
    await books.undone(async () => {
      await check()
      await books.forge(checkpoints(5))
      expect(await recheckLog('A', 3, 1)).toEqual([3])
      expect(await progress('A')).toEqual({ seq: 3, checkpoint: 0, payout: null, is_done: false })
      expect(await progress('B')).toEqual({ seq: 0, checkpoint: 0, payout: null, is_done: false })
      expect(await recheckLog('A', 3, 1)).toEqual([2])
      expect(await progress('A')).toEqual({ seq: 5, checkpoint: 5, payout: null, is_done: false })
      expect(await recheckLog('A', 100)).toEqual([(await lastSeq()) - 5])
      expect(await progress('A')).toEqual({ seq: 0, checkpoint: 0, payout: '', is_done: false })
    })
  })

  test('is not changed by a checkpoint that is added behind it', async () => {
    await books.undone(async () => {
      await check()
      await recheckLog('A', 6, 1)
      await books.forge(checkpoints(4, 4))
      await recheckLog('A', 100)
      expect(await books.found()).toEqual([])
    })
  })

  test('of payouts is a page of this wallet, and the last page completes it', async () => {
    await books.undone(async () => {
      await check()
      const pages: unknown[] = []
      for (const label of tenants) await recheckLog(label, 100)
      for (let n = 0; n < 3; n++) {
        const [row] = await books.sql(`select quipu.recheck_payouts('{A}', 3) as n`)
        const { payout, is_done } = await progress('A')
        pages.push([row?.['n'], payout, is_done])
      }
      const ids = (await books.sql(`select id from quipu.payout where tenant_id = '{A}' order by id`)).map(
        ({ id }) => id,
      )
      expect(ids).toHaveLength(6)
      expect(pages).toEqual([
        [3, ids[2], false],
        [3, ids[5], false],
        [0, null, true],
      ])
      expect(await progress('B')).toMatchObject({ payout: '', is_done: false })
      expect(await books.found()).toEqual([])
    })
  })
})

describe('a payout that no worker finds', () => {
  const foundLost = (text: string): Promise<readonly string[]> =>
    books.undone(async () => {
      await check()
      for (const label of tenants) await recheckLog(label, 100)
      await books.forge(text)
      for (const label of tenants)
        await books.sql(`select quipu.recheck_payouts('{${label}}', 1) from generate_series(1, 8)`)
      for (const label of tenants) expect((await progress(label)).is_done).toBe(true)
      return books.found()
    })
  const lost = (label: string) => `A lease ${label} of A: it has not ended and has no lease, so no worker claims it`

  test('has no lease', async () => {
    expect(await foundLost('select')).toEqual([])
    const text = `delete from quipu.payout_lease where payout_ids @> array['{open 1 of A}']`
    expect(await foundLost(text)).toEqual([lost('open 1')])
  })

  test('has a lease of another tenant’s payout', async () => {
    const found = await foundLost(`
      update quipu.payout_lease set tenant_ids = array['{B}'] where payout_ids @> array['{open 1 of A}'];
      insert into quipu.payout select target, created_at, hold, available_after, held_after, accepted_at,
        leased_until, uuidv7(), '{B}', id, transaction_id, fingerprint, resolution_id, key_id, details
      from quipu.payout where id = '{open 1 of A}'`)
    expect(found).toEqual([lost('open 1')])
  })

  test('has an end of another tenant’s payout', async () => {
    const text = `
      delete from quipu.payout_lease where payout_ids @> array['{paid of A}'];
      update quipu.payout_end set tenant_id = '{B}' where payout_id = '{paid of A}'`
    expect(await foundLost(text)).toEqual([lost('paid')])
  })
})
