import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForgedBooks, openForgedBooks } from '../test/forged-books.fixture.ts'

let books: ForgedBooks
beforeAll(async () => {
  books = await openForgedBooks()
})
afterAll(() => books.close())

describe('an adjustment that differs from its source is found', () => {
  const adjustment = (set: string): string => `update quipu.adjustment set ${set} where id = '{late charge of A}'`
  const audited = (set: string): string => `update quipu.audit_log set ${set}
    where after ->> 'adjustment_id' = '{late charge of A}'`
  test.each([
    ['another tenant', adjustment(`tenant_id = '{B}'`)],
    ['another id', adjustment(`id = 'other'`)],
    ['another amount', adjustment('amount = amount + 1')],
    ['another direction', adjustment(`direction = 'in'`)],
    ['another instant', adjustment(`created_at = created_at + interval '1 ms'`)],
    [
      'another instant, as its audit entry has',
      `${adjustment(`created_at = created_at + interval '1 ms'`)}; ${audited(`at = at + interval '1 ms'`)}`,
    ],
    ['another operator', adjustment(`actor = 'omar'`)],
    ['no audit entry of this action', audited(`action = 'wallet.other'`)],
    ['no audit entry of its id', audited(`after = after || '{"adjustment_id": "other"}'`)],
    ['no audit entry of its tenant', audited(`subject = '{B}'`)],
    ['no audit entry of its operator', audited(`actor = 'omar'`)],
    ['no audit entry of its instant', audited(`at = at + interval '1 ms'`)],
  ])('%s', async (_, text) => {
    expect(await books.foundAfter(text)).toEqual([
      'A posting late charge of A: an adjustment of 2.000000 USDT has no entry in the audit log',
    ])
  })

  test('a doubled entry, which has no source of its own', async () => {
    const found = await books.foundAfter(`
      insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
        held_after, type, subject_id)
      select tenant_id, seq, logged_at + interval '1 us', logged_at, amount, available_after, held_after,
        type, 'doubled' from quipu.funding_entry where subject_id = '{funds of A}'`)
    expect(found).toContain('A posting doubled: an adjustment of 5000.000000 USDT has no entry in the audit log')
  })
})

describe('a credit that differs from its deposit is found', () => {
  const unsound = 'alter table quipu.deposit drop constraint deposit_sound;'
  const deposit = (label: string, set: string): string => `update quipu.deposit set ${set} where id = '{${label} of A}'`
  const audited = (set: string): string => `update quipu.audit_log set ${set} where subject = '{credited review of A}'`
  const uncredited = 'a credit belongs to no credited deposit'
  const unaudited = 'a credit out of review has no entry in the audit log'
  test.each([
    ['another tenant', 'credited', deposit('credited', `tenant_id = '{B}'`), 'an entry belongs to no deposit'],
    ['another id', 'credited', deposit('credited', `id = 'other'`), 'an entry belongs to no deposit'],
    ['no deposit of a pending entry', 'pending', deposit('pending', `id = 'other'`), 'an entry belongs to no deposit'],
    ['another status', 'credited', unsound + deposit('credited', `status = 'in_review'`), uncredited],
    ['a dropped transfer', 'credited', unsound + deposit('credited', `solid = 'gone', solid_block = null`), uncredited],
    ['another instant', 'credited', deposit('credited', `credited_at = credited_at + interval '1 ms'`), uncredited],
    ...['25.000001', '24.999999'].map((amount): [string, string, string, string] => [
      'another amount',
      'credited',
      deposit('credited', `amount = ${amount} * 1000000`),
      `a credit of 25.000000 USDT is not the ${amount} USDT of its deposit`,
    ]),
    ['no audit entry of this action', 'credited review', audited(`action = 'deposit.other'`), unaudited],
    ['no audit entry of its deposit', 'credited review', audited(`subject = 'other'`), unaudited],
    ['no audit entry of its instant', 'credited review', audited(`at = at + interval '1 ms'`), unaudited],
  ])('%s', async (_, label, text, detail) => {
    expect(await books.foundAfter(text)).toEqual([`A posting ${label} of A: ${detail}`])
  })
})

test('a difference of a posting stays on the list after its deposit is right again', async () => {
  const found = await books.undone(async () => {
    const amount = (change: string) => `update quipu.deposit set amount = amount ${change} where id = '{credited of A}'`
    await books.forge(amount('+ 1'))
    await books.checkLedger()
    await books.forge(amount('- 1'))
    await books.checkLedger()
    return books.found()
  })
  expect(found).toEqual([expect.stringMatching(/^A posting credited of A: a credit of 25\.000000 /)])
})
