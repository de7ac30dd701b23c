import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LedgerHarness, openLedgerHarness } from '../test/ledger-check.fixture.ts'
import { operatorNamed } from '@quipu/contracts'

let harness: LedgerHarness
beforeEach(async () => {
  harness = await openLedgerHarness()
})
afterEach(() => harness.close())

// One row of each part of the check and of the recheck; the forged-… tests have the others.
describe('a forged row is found', () => {
  test.each([
    ['a balance', 'update quipu.wallet set available = available + 1500000', /available is .*: 1\.500000 USDT off$/],
    [
      'a checkpoint',
      `insert into quipu.balance_checkpoint
       select tenant_id, (checked).seq, (checked).logged_at, 1, 0, 0, 0, 0 from quipu.ledger_check`,
      /balance checkpoint of entry 3: the checkpoint is not the sum of the entries up to it/,
    ],
    [
      'an entry that was added in the past',
      `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
         held_after, type, subject_id)
       select tenant_id, 9, logged_at - interval '1 day', logged_at, 5, 5, 0, 'adjustment_in', 'a'
       from quipu.wallet`,
      /postings were added in the past, or removed/,
    ],
    [
      'a removed entry',
      `delete from quipu.funding_entry where type = 'adjustment_in'`,
      /postings were added in the past, or removed/,
    ],
    [
      'a duplicated number',
      `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
         held_after, type, subject_id)
       select tenant_id, 1, logged_at + interval '1 us', logged_at, amount, available_after, held_after,
         type, 'doubled' from quipu.funding_entry`,
      /, entry 1: doubled: it follows entry 1/,
    ],
    ['a lost end of the log', 'update quipu.wallet set seq = seq + 1', /: its log ends with entry 3 instead of 4$/],
    ['two entries out of order', 'update quipu.payout_end set seq = 5 - seq', /, entry 3: po_.*: it follows entry 1/],
    [
      'a release of a completed payout',
      `update quipu.payout_end set status = 'failed', error_code = 'PAYMENT_FAILED', error_message = 'x'
       where status = 'completed';
       update quipu.wallet set available = available + 10203353`,
      /the balance after it is .*: -10\.203353 USDT off/,
    ],
    [
      'a capture above the hold',
      'update quipu.payout_end set amount = amount + 1',
      /^po_.*: a capture of 10\.203354 USDT is not the 10\.203353 USDT of its hold/,
    ],
    ['a hold without a lease', 'delete from quipu.payout_lease', /^po_.*: it has not ended and has no lease/],
    [
      'a payout without a hold or an end',
      `insert into quipu.payout (target, created_at, quote_id, tenant_id, id, transaction_id, fingerprint,
         details)
       select 1, now(), uuidv7(), tenant_id, 'po_forged', 'x', 'x', '{}' from quipu.wallet`,
      /^po_forged: it has not ended and has no lease/,
    ],
    [
      'a rate that does not follow from the tenant’s pricing',
      'update quipu.quote set bid = bid * 2',
      /its quote is not what the tenant’s pricing gives/,
    ],
    [
      'a missing unique index of used quotes',
      'drop index quipu.payout_quote',
      /^payout_quote: the unique index is missing or invalid/,
    ],
    ['a price list', 'update quipu.tenant set fee_fixed = 1', /the tenant is not what the audit log says/],
    [
      'a changed audit entry',
      `update quipu.audit_log set actor = 'omar' where action = 'tenant.create'`,
      /^audit_log 1: the entry was changed or inserted/,
    ],
  ])('%s', async (_, text, detail) => {
    const tenantId = await harness.onboard()
    await harness.adjust(tenantId, 100_000_000n)
    const keyId = await harness.issueKey(tenantId)
    await harness.keys.revoke(operatorNamed('ana'), keyId)
    await harness.pay(tenantId, true)
    await harness.pay(tenantId, false)
    await harness.newPayout(await harness.newQuote(tenantId))
    await harness.checkAll() // a recheck finds it as well
    expect(await harness.found()).toEqual([])
    await harness.forge(text)
    await harness.checkAll()
    expect(await harness.found()).toContainEqual(expect.stringMatching(detail))
  })
})
