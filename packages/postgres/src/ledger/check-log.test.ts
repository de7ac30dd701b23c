import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForgedBooks, openForgedBooks } from '../test/forged-books.fixture.ts'

let books: ForgedBooks
beforeAll(async () => {
  books = await openForgedBooks()
})
afterAll(() => books.close())

const tenants = ['A', 'B', 'C']

/** Checks the new entries of every wallet, in slices of this size. */
async function checkWallets(size: number): Promise<void> {
  for (const label of tenants)
    await books.sql(`select quipu.check_wallet('{${label}}', ${size}) from generate_series(0, ${Math.ceil(20 / size)})`)
}

const foundInSlices = (size: number, text: string): Promise<readonly string[]> =>
  books.undone(async () => {
    await books.forge(text)
    await checkWallets(size)
    return books.found()
  })

const position = async (label: string) =>
  (
    await books.sql(`select (checked).seq::int, (checked).logged_at from quipu.ledger_check
    where tenant_id = '{${label}}'`)
  )[0]

/** Changes the entry of a payout, a deposit or an adjustment of A. */
const entry = (label: string, set: string): string => `
  update quipu.payout_end set ${set} where payout_id = '{${label} of A}';
  update quipu.funding_entry set ${set} where subject_id = '{${label} of A}' and amount is not null;`

const forgedBalances = `
  update quipu.wallet set available = available + 1 where tenant_id in ('{A}', '{B}');
  update quipu.wallet set available = 7, held = 2 where tenant_id = '{C}'`
const foundBalances = [
  expect.stringMatching(/^A available wallet of A: available is .*: 0\.000001 USDT off$/),
  expect.stringMatching(/^B available wallet of B: available is .*: 0\.000001 USDT off$/),
  'C available wallet of C: available is 0.000007 USDT instead of 0.000000 USDT: 0.000007 USDT off',
  'C held wallet of C: held is 0.000002 USDT instead of 0.000000 USDT: 0.000002 USDT off',
]

describe.each([100, 3, 2, 1])('in slices of %i', (size) => {
  test('nothing is found in books that are right', async () => {
    expect(await foundInSlices(size, 'select')).toEqual([])
  })

  test('a balance is found that its log does not give', async () => {
    expect(await foundInSlices(size, forgedBalances)).toEqual(foundBalances)
  })
})

test('a balance that changes after the check is found by the next one', async () => {
  const found = await books.undone(async () => {
    await checkWallets(100)
    await books.forge(forgedBalances)
    await checkWallets(100)
    return books.found()
  })
  expect(found).toEqual(foundBalances)
})

test('the difference of a balance has the amounts that it should be and is', async () => {
  await books.undone(async () => {
    await books.forge(`update quipu.wallet set available = available + 1, held = held + 2
      where tenant_id = '{A}'`)
    await checkWallets(100)
    const amounts = await books.sql(`
      select d.kind, d.currency, d.expected_amount = case d.kind when 'held' then w.held - 2 else w.available - 1 end
        and d.found_amount = case d.kind when 'held' then w.held else w.available end as are_right
      from quipu.difference d join quipu.wallet w on w.id = d.subject
      where d.status = 'open' order by d.kind`)
    expect(amounts).toEqual([
      { kind: 'available', currency: 'USDT', are_right: true },
      { kind: 'held', currency: 'USDT', are_right: true },
    ])
  })
})

describe('an entry of the log is found', () => {
  const off = (label: string) =>
    expect.stringMatching(
      new RegExp(`^A log wallet of A, entry \\d+: ${label} of A: the balance after it is \\S+ USDT instead`),
    )
  test.each(['paid', 'failed', 'late charge', 'credited'])('whose balance is wrong: %s', async (label) => {
    for (const size of [100, 1]) {
      const found = await foundInSlices(size, entry(label, 'available_after = available_after + 1'))
      expect(found).toContainEqual(off(label))
      expect(found.join()).not.toMatch(/it follows/)
      // The next entry follows from the wrong balance.
      expect(found).toHaveLength(2)
    }
  })

  test('that is missing before one of a payout', async () => {
    const found = await foundInSlices(
      100,
      `delete from quipu.payout_end where payout_id = '{INSUFFICIENT_BALANCE of A}'`,
    )
    expect(found).toEqual(['A log wallet of A, entry 5: QR_REFUSED of A: it follows entry 3'])
  })

  test('that is missing before one of an adjustment', async () => {
    const found = await foundInSlices(
      100,
      `update quipu.funding_entry set seq = seq + 100
       where subject_id = '{later charge of A}';
       update quipu.wallet set seq = seq + 100 where tenant_id = '{A}'`,
    )
    expect(found).toEqual([
      expect.stringMatching(/^A log wallet of A, entry 1\d\d: later charge of A: it follows entry \d\d$/),
    ])
  })
})

test('the end of the log is the wallet’s, and no checkpoint is after it', async () => {
  const wallet = (set: string) => `update quipu.wallet set ${set} where tenant_id = '{A}'`
  const checkpoint = (seq: string) => `
    insert into quipu.balance_checkpoint
    select tenant_id, ${seq}, logged_at, 0, 0, 0, 0, 0 from quipu.wallet where tenant_id = '{A}';`
  expect(await foundInSlices(100, wallet('seq = seq - 1'))).toEqual([
    expect.stringMatching(/^A log_end wallet of A: its log ends with entry (\d+) instead of \d+$/),
  ])
  expect(await foundInSlices(100, wallet(`logged_at = '2126-01-01Z'`))).toEqual([
    expect.stringMatching(/^A log_end wallet of A: its newest entry is of 2126-03-04 .* instead of 2126-01-01 /),
  ])
  expect(await foundInSlices(100, checkpoint('seq') + checkpoint('1'))).toEqual([])
  expect(await foundInSlices(100, checkpoint('seq + 1') + checkpoint('1'))).toEqual([
    expect.stringMatching(/^A log_end wallet of A: it has a checkpoint after entry \d+$/),
  ])
})

test('entries that are written after those that were checked count', async () => {
  await books.undone(async () => {
    for (const seq of [0, 3, 7]) {
      const [reached] = await books.sql(`select (quipu.check_entries(w.tenant_id,
          '(0,-infinity,0,0,0,0,0,0)', 'infinity', 0, ${seq})).reached::text as position
        from quipu.wallet w where w.tenant_id = '{A}'`)
      const from = seq === 0 ? '(0,-infinity,0,0,0,0,0,0)' : reached?.['position']
      await books.sql(`select quipu.check_balance('{A}', $1, 100)`, [from])
      expect(await books.found()).toEqual([])
    }
  })
})

test('the newest payouts in processing are compared, as many as entries in a slice', async () => {
  const source = (n: number) => `update quipu.quote set source = source + 1 where id = '{quote of open ${n} of A}'`
  const wrong = (n: number): unknown =>
    expect.stringMatching(`A posting open ${n} of A: a hold of .* is not the .* of its quote`)
  expect(await foundInSlices(1, `${source(1)};${source(2)}`)).toEqual([wrong(2)])
  expect(await foundInSlices(2, `${source(1)};${source(2)}`)).toEqual([wrong(1), wrong(2)])
})

test('a slice ends after its last entry, and returns their number', async () => {
  await books.undone(async () => {
    const sizes = await books.sql(`select quipu.check_wallet('{A}', 4) as n from generate_series(1, 5)`)
    const total = Number((await books.sql(`select seq from quipu.wallet where tenant_id = '{A}'`))[0]?.['seq'])
    const rest = total - 12
    expect(sizes.map(({ n }) => n)).toEqual([4, 4, 4, Math.min(rest, 4), Math.max(rest - 4, 0)])
    expect(await position('A')).toMatchObject({ seq: total })
    expect(await position('B')).toMatchObject({ seq: 0 })
  })
})
