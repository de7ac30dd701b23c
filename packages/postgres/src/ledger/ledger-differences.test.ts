import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forgedEntry, type LedgerHarness, openLedgerHarness } from '../test/ledger-check.fixture.ts'
import { operatorNamed } from '@quipu/contracts'

let harness: LedgerHarness
beforeEach(async () => {
  harness = await openLedgerHarness()
})
afterEach(() => harness.close())

describe('a forged row is found', () => {
  test.each([
    ['a balance', 'update quipu.wallet set available = available + 1500000', /available is .*: 1\.500000 USDT off$/],
    ['a lower hold', 'update quipu.wallet set held = held - 1', /held is .*: -0\.000001 USDT off/],
    ['a count of entries', 'update quipu.wallet set seq = seq + 1', /its log ends with entry 3 instead of 4/],
    [
      'another instant of the newest entry',
      `update quipu.wallet set logged_at = logged_at + interval '1 day'`,
      /its newest entry is of .* instead of /,
    ],
    [
      'a checkpoint',
      `insert into quipu.balance_checkpoint
       select tenant_id, (checked).seq, (checked).logged_at, 1, 0, 0, 0, 0 from quipu.ledger_check`,
      /balance checkpoint of entry 3: the checkpoint is not the sum of the entries up to it/,
    ],
    [
      'a checkpoint with an earlier instant',
      `insert into quipu.balance_checkpoint
       select tenant_id, 2, '2000-01-01Z', 0, 0, 0, 0, 0 from quipu.ledger_check`,
      /balance checkpoint of entry 2: the checkpoint is not the sum of the entries up to it/,
    ],
    [
      'a checkpoint after the last entry',
      `insert into quipu.balance_checkpoint
       select tenant_id, 99, 'infinity', 0, 0, 0, 0, 0 from quipu.ledger_check`,
      /it has a checkpoint after entry 99/,
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
      'a missing entry in the middle',
      `delete from quipu.payout_end where seq = 2`,
      /, entry 3: po_.*: it follows entry 1/,
    ],
    [
      'a duplicated number',
      `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
         held_after, type, subject_id)
       select tenant_id, 1, logged_at + interval '1 us', logged_at, amount, available_after, held_after,
         type, 'doubled' from quipu.funding_entry`,
      /, entry 1: doubled: it follows entry 1/,
    ],
    ['two entries out of order', 'update quipu.payout_end set seq = 5 - seq', /, entry 3: po_.*: it follows entry 1/],
    [
      'a wrong balance after an entry',
      'update quipu.payout_end set available_after = available_after + 1',
      /the balance after it is .*: 0\.000001 USDT off/,
    ],
    [
      'an adjustment without an operator',
      forgedEntry('adjustment_in', 'null, null'),
      /^forged: an adjustment of 0\.000005 USDT has no entry in the audit log$/,
    ],
    [
      'a credit without a deposit',
      forgedEntry('deposit.credited', `quipu.uuid_at(uuidv7(), logged_at), 'event'`),
      /^forged: an entry belongs to no deposit$/,
    ],
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
    [
      'a release below the hold',
      'update quipu.payout_end set amount = amount - 1',
      /^po_.*: a release of 10\.203352 USDT is not the 10\.203353 USDT of its hold/,
    ],
    [
      'an end without capture or release',
      `update quipu.payout_end
       set amount = null, available_after = null, held_after = null, fencing_token = null,
         status = 'cancelled', error_code = 'QUOTE_EXPIRED'
       where status = 'failed'`,
      /its hold was neither captured nor released/,
    ],
    [
      'a removed payout',
      'delete from quipu.payout where id in (select payout_id from quipu.payout_end)',
      /the end belongs to no payout/,
    ],
    [
      'a capture without a hold',
      `update quipu.payout set hold = null, available_after = null, held_after = null,
         accepted_at = null, leased_until = null where id in (select payout_id from quipu.payout_end)`,
      /a capture or release belongs to no accepted payout/,
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
      'a price that does not add up',
      'update quipu.quote set principal = 1, fee = source - 1',
      /its quote does not add up/,
    ],
    [
      'a price that differs from the hold',
      'update quipu.quote set source = 1',
      /is not the 0\.000001 USDT of its quote/,
    ],
    [
      'a payout of another amount than its quote',
      'update quipu.payout set target = target + 1',
      /its payout is of another amount than its quote/,
    ],
    [
      'a rate that does not follow from the tenant’s pricing',
      'update quipu.quote set bid = bid * 2',
      /its quote is not what the tenant’s pricing gives/,
    ],
    ['a quote that was removed', 'delete from quipu.quote', /its quote does not exist/],
    [
      'a missing unique index of used quotes',
      'drop index quipu.payout_quote',
      /^payout_quote: the unique index is missing or invalid/,
    ],
    [
      'a disabled trigger against changes',
      'alter table quipu.payout_end disable trigger append_only',
      /^payout_end: the trigger append_only is missing or disabled/,
    ],
    [
      'a disabled trigger against deleting used quotes',
      'alter table quipu.quote disable trigger used_quote_stays',
      /^quote: the trigger used_quote_stays is missing or disabled/,
    ],
    ['a key without an audit entry', `update quipu.api_key set id = 'key_x'`, /^key_x: the key has no entry/],
    ['a key with other scopes', `update quipu.api_key set scopes = '{x}'`, /the key has other scopes/],
    ['a revocation that was undone', 'update quipu.api_key set revoked_at = null', /was revoked and is not/],
    ['a price list', 'update quipu.tenant set fee_fixed = 1', /the tenant is not what the audit log says/],
    [
      'an audit entry without its change',
      `select quipu.write_audit(row('ana', null, null, null, null), 'api_key.issue', null, id, now(), null, null) from quipu.tenant`,
      /has no change for the audit entry api_key\.issue by ana/,
    ],
    [
      'a changed audit entry',
      `update quipu.audit_log set actor = 'omar' where action = 'tenant.create'`,
      /^audit_log 1: the entry was changed or inserted/,
    ],
    [
      'a removed audit entry',
      `delete from quipu.audit_log where action = 'tenant.create'`,
      /^audit_log 1: the entry is missing/,
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
