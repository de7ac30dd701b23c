import { expect, test } from 'vitest'
import { auditClose, auditCredit } from './audit-review.ts'
import { someDeposit } from './deposit.fixture.ts'
import type { DepositInReview } from './deposit.ts'
import { topUpAddressRetired } from '../top-up-address/top-up-address.ts'
import { originOf } from '../audit/operator.fixture.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const review: DepositInReview = {
  ...someDeposit,
  id: 'dep_1',
  tenantId: 'ten_1',
  status: 'in_review',
  reviewCode: 'SENDER_BLOCKED',
  closed: null,
}
const reason = 'The sender is known.'

test('the audit entry of a credit has its amount, its reason and its proposal', () => {
  expect(auditCredit(review, { proposalId: 'prp_1', actor: 'ana', reason }, at, originOf('ana'))).toEqual({
    ...originOf('ana'),
    action: 'deposit.credit',
    tenantId: 'ten_1',
    subject: 'dep_1',
    before: { status: 'in_review', review_code: 'SENDER_BLOCKED' },
    after: { status: 'credited', amount: '25.000000', credited_reason: reason, proposal_id: 'prp_1' },
    at,
  })
})

test('the audit entry of a close has the actor, the instant and the reason of the closure', () => {
  const closed = { actor: 'ben', at, reason }
  const author = { proposalId: 'prp_2', actor: 'ben', reason }
  expect(auditClose({ ...review, closed }, author, originOf('ben'))).toEqual({
    ...originOf('ben'),
    action: 'deposit.close',
    tenantId: 'ten_1',
    subject: 'dep_1',
    before: { status: 'in_review', review_code: 'SENDER_BLOCKED' },
    after: { status: 'in_review', closed_reason: reason, proposal_id: 'prp_2' },
    at,
  })
})

test('the audit entry of a retired address shows when it was retired', () => {
  const topUp = { tenantId: 'ten_1', chain: 'tron', address: 'T7' } as const
  expect(topUpAddressRetired(topUp, { ...originOf('ana'), at })).toEqual({
    ...originOf('ana'),
    action: 'top_up_address.rotate',
    tenantId: 'ten_1',
    subject: 'ten_1',
    before: { chain: 'tron', address: 'T7', retired_at: null },
    after: { chain: 'tron', address: 'T7', retired_at: '2026-11-21T12:00:00.000Z' },
    at,
  })
})
