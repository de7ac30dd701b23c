import { expect, test } from 'vitest'
import { auditOperatorCall, auditSettlement } from './audit-decision.ts'
import { at, completed, processing } from './payout.fixture.ts'
import { originOf } from '../audit/operator.fixture.ts'

test.each([
  ['status', 'payout.query'],
  ['cancel', 'payout.cancel'],
] as const)('the audit entry of a question for %s is %s', (question, action) => {
  const call = { tenantId: 'ten_1', payoutId: 'po_1', question, at }
  expect(auditOperatorCall(call, 'processing', originOf('ana'))).toEqual({
    tenantId: 'ten_1',
    ...originOf('ana'),
    action,
    subject: 'po_1',
    before: { status: 'processing' },
    after: null,
    at,
  })
})

const settlement = { step: { ...completed, event: null }, proposalId: 'prp_1', actor: 'ana' }
const audited = (action: Parameters<typeof auditSettlement>[0]['action']) =>
  auditSettlement({ ...settlement, action, reason: 'The bank’s statement.' }, at, originOf('ana'))
const author = { proposal_id: 'prp_1', reason: 'The bank’s statement.' }

test('the audit entry of a settlement shows what was paid, and the network’s id', () => {
  expect(
    audited({
      type: 'settle_payout',
      payoutId: 'po_1',
      outcome: 'completed',
      paid: processing.target,
      networkPaymentId: 'pay-1',
    }),
  ).toEqual({
    tenantId: 'ten_1',
    ...originOf('ana'),
    action: 'payout.settle',
    subject: 'po_1',
    before: { status: 'processing' },
    after: { status: 'completed', ...author, paid_bob: '100.00', network_payment_id: 'pay-1' },
    at,
  })
})

test('without a payment it shows neither', () => {
  expect(
    audited({ type: 'settle_payout', payoutId: 'po_1', outcome: 'cancelled', paid: null, networkPaymentId: null })
      .after,
  ).toEqual({ status: 'cancelled', ...author })
})
