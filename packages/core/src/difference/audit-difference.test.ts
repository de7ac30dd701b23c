import { expect, test } from 'vitest'
import { auditDifference } from './audit-difference.ts'
import { closure, openDifference } from './difference.fixture.ts'
import { originOf } from '../audit/operator.fixture.ts'

test('the audit entry of a closure has what was closed, and why', () => {
  expect(auditDifference(openDifference, closure, originOf('ana'))).toEqual({
    ...originOf('ana'),
    action: 'difference.close',
    tenantId: 'ten_1',
    subject: 'dif_1',
    at: closure.at,
    before: { status: 'open' },
    after: {
      status: 'closed',
      check: 'network',
      kind: 'other_amount',
      subject: 'po_1',
      reason: 'The network returned it.',
    },
  })
})

test('the audit entry of a closure has the proposal that corrected the difference', () => {
  const { after } = auditDifference(openDifference, { ...closure, proposalId: 'prp_1' }, originOf('ana'))
  expect(after).toMatchObject({ status: 'closed', proposal_id: 'prp_1' })
})

test('the audit entry of a difference of no single tenant has no tenant', () => {
  expect(auditDifference({ ...openDifference, tenantId: null }, closure, originOf('ana')).tenantId).toBeNull()
})
