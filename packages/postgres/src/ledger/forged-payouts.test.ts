import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForgedBooks, openForgedBooks } from '../test/forged-books.fixture.ts'

let books: ForgedBooks
beforeAll(async () => {
  books = await openForgedBooks()
})
afterAll(() => books.close())

test('nothing is found in books that are right', async () => {
  expect(await books.foundAfter('select')).toEqual([])
})

const payout = (label: string, set: string): string => `update quipu.payout set ${set} where id = '{${label}}';`
const quote = (label: string, set: string): string => `update quipu.quote set ${set} where id = '{quote of ${label}}';`
const end = (label: string, set: string): string => `update quipu.payout_end set ${set} where payout_id = '{${label}}';`

const noHold = `hold = null, available_after = null, held_after = null, accepted_at = null,
  leased_until = null`
const noAmount = `amount = null, available_after = null, held_after = null, fencing_token = null,
  status = 'cancelled', error_code = 'QUOTE_EXPIRED', error_message = 'x'`
describe('a payout that differs from its end or quote is found', () => {
  test.each([
    [
      'a hold below the capture',
      payout('paid of A', 'hold = hold - 1'),
      'paid of A: a capture of 1022.956122 USDT is not the 1022.956121 USDT of its hold',
    ],
    [
      'a hold above the release',
      payout('failed of A', 'hold = hold + 1'),
      'failed of A: a release of 1022.956122 USDT is not the 1022.956123 USDT of its hold',
    ],
    [
      'a capture without a hold',
      payout('paid of A', noHold),
      'paid of A: a capture or release belongs to no accepted payout',
    ],
    [
      'a release without a hold',
      payout('failed of A', noHold),
      'failed of A: a capture or release belongs to no accepted payout',
    ],
    ['another tenant’s quote', quote('paid of A', `tenant_id = '{B}'`), 'paid of A: its quote does not exist'],
    [
      'a quote of another source',
      quote('paid of A', 'source = source + 1'),
      'paid of A: a hold of 1022.956122 USDT is not the 1022.956123 USDT of its quote',
    ],
    [
      'a quote of another target',
      quote('paid of A', 'target = target + 1'),
      'paid of A: its payout is of another amount than its quote',
    ],
    ['a fee that does not add up', quote('paid of A', 'fee = fee + 1'), 'paid of A: its quote does not add up'],
    [
      'a principal that does not follow from the rate',
      quote('paid of A', 'fee = fee + 1, principal = principal - 1'),
      'paid of A: its quote does not add up',
    ],
    [
      'a rate of zero',
      `alter table quipu.quote drop constraint quote_positive; ${quote('paid of A', 'rate = 0')}`,
      'paid of A: its quote does not add up',
    ],
    [
      'a rate that does not follow from the bid',
      quote('paid of A', 'bid = bid * 2'),
      'paid of A: its quote is not what the tenant’s pricing gives',
    ],
    [
      'a fee that the tenant does not pay',
      quote('paid of A', 'fee = fee + 1, source = source + 1') +
        payout('paid of A', 'hold = hold + 1') +
        end('paid of A', 'amount = amount + 1, available_after = available_after - 1') +
        `update quipu.payout_end set available_after = available_after - 1
         where tenant_id = '{A}' and seq > (select seq from quipu.payout_end where payout_id = '{paid of A}');
         update quipu.funding_entry set available_after = available_after - 1
         where tenant_id = '{A}' and seq > (select seq from quipu.payout_end where payout_id = '{paid of A}');
         update quipu.wallet set available = available - 1 where tenant_id = '{A}';`,
      'paid of A: its quote is not what the tenant’s pricing gives',
    ],
    [
      'a hold that is not its quote’s, of a payout in processing',
      quote('open 1 of A', 'source = source + 1'),
      'open 1 of A: a hold of 10.303964 USDT is not the 10.303965 USDT of its quote',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await books.foundAfter(text)).toEqual([`A posting ${expected}`])
  })

  test('an end without capture or release', async () => {
    expect(await books.foundAfter(end('paid of A', noAmount))).toContain(
      'A posting paid of A: it has ended, and its hold was neither captured nor released',
    )
    expect(await books.foundAfter(end('failed of A', noAmount))).toContain(
      'A posting failed of A: it has ended, and its hold was neither captured nor released',
    )
  })

  test('a payout of another tenant', async () => {
    expect(await books.foundAfter(payout('paid of A', `tenant_id = '{B}'`))).toEqual([
      'A posting paid of A: the end belongs to no payout',
      'B lease paid of A: it has not ended and has no lease, so no worker claims it',
    ])
  })
})

describe('a quote has the pricing that was in force within two minutes of it', () => {
  // The fee rises on 3 January, and an adjustment of the wallet is on the first.
  const changes = `
    update quipu.audit_log set at = '2026-01-02Z'
    where subject = '{A}' and action in ('tenant.create', 'wallet.adjust');
    update quipu.audit_log set at = '2026-01-03Z' where subject = '{A}' and action = 'tenant.update';`
  const isWrong = (label: string) => [`A posting ${label}: its quote is not what the tenant’s pricing gives`]
  test.each([
    ['paid of A', '2026-01-01 23:58:00', true],
    ['paid of A', '2026-01-01 23:57:59.999999', false],
    ['paid of A', '2026-01-02 12:00:00', true],
    ['paid of A', '2026-01-03 00:02:00', true],
    ['paid of A', '2026-01-03 00:02:00.000001', false],
    ['open 1 of A', '2026-01-02 23:58:00', true],
    ['open 1 of A', '2026-01-02 23:57:59.999999', false],
    ['open 1 of A', '2026-02-01 00:00:00', true],
    ['open 1 of A', '2027-01-01 00:00:00', true],
  ])('%s at %s', async (label, at, isRight) => {
    const text = `${changes}
      update quipu.quote set created_at = '2026-04-01Z' where tenant_id = '{A}';
      update quipu.quote set created_at = '2026-01-02 12:00Z'
      where id in ('{quote of paid of A}', '{quote of failed of A}');
      ${quote(label, `created_at = '${at}Z'`)}`
    const found = (await books.foundAfter(text)).filter((each) => !each.includes('adjustment'))
    expect(found).toEqual(isRight ? [] : isWrong(label))
  })

  test('another tenant’s pricing', async () => {
    const text = `
      update quipu.quote q set (bid, rate, principal, fee, source) = (
        select b.bid, b.rate, b.principal, b.fee, b.source from quipu.quote b
        where b.id = '{quote of open 1 of B}'
      ) where q.id = '{quote of open 1 of A}';
      update quipu.payout set hold = (select source from quipu.quote where id = quote_id)
      where id = '{open 1 of A}'`
    expect(await books.foundAfter(text)).toContainEqual(isWrong('open 1 of A')[0])
  })
})

test('a difference of a posting stays on the list after its rows are right again', async () => {
  const found = await books.undone(async () => {
    await books.forge(quote('open 1 of A', 'bid = bid * 2'))
    await books.checkLedger()
    await books.forge(quote('open 1 of A', 'bid = bid / 2'))
    await books.checkLedger()
    return books.found()
  })
  expect(found).toEqual(['A posting open 1 of A: its quote is not what the tenant’s pricing gives'])
})
