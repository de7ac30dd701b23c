import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import { auditAdjustment } from './adjustment.ts'
import type { Adjustment } from './ports.ts'
import { originOf } from '../audit/operator.fixture.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const adjustment: Adjustment = {
  id: 'adj_1',
  tenantId: 'ten_1',
  direction: 'in',
  amount: usdt(1_500_000n),
  reason: 'A refund.',
  actor: 'ana',
}

test('the audit entry of an adjustment has its amount and reason', () => {
  expect(auditAdjustment(adjustment, at, originOf('ana'))).toEqual({
    ...originOf('ana'),
    action: 'wallet.adjust',
    tenantId: 'ten_1',
    subject: 'ten_1',
    before: null,
    after: { adjustment_id: 'adj_1', direction: 'in', amount: '1.500000', reason: 'A refund.' },
    at,
  })
})

test('the audit entry of an adjustment that corrects a difference names it', () => {
  expect(auditAdjustment({ ...adjustment, differenceId: 'dif_1' }, at, originOf('ana')).after).toMatchObject({
    difference_id: 'dif_1',
  })
})
