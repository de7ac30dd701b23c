import { expect, test } from 'vitest'
import { closedDeposit, deposits } from '../openapi/funding-example.ts'
import { operatorDepositDetailToJson, operatorDepositToJson } from './operator-deposit.ts'

test('an undecided deposit shows its attempts, why the last failed, and the next', () => {
  const attempts = { claimCount: 3, problem: 'no answer', nextAt: new Date('2026-11-20T00:00:00Z') }
  const shown = { count: 3, problem: 'no answer', next_at: '2026-11-20T00:00:00.000Z' }
  expect(operatorDepositDetailToJson(deposits.pending, attempts, null).attempts).toEqual(shown)
  expect(operatorDepositDetailToJson(deposits.pending, undefined, 'clear').attempts).toBeNull()
})

test('a closed review shows its actor, time and reason, and its tenant', () => {
  const { closed, tenant_id } = operatorDepositToJson(closedDeposit)
  expect(tenant_id).toBe(closedDeposit.tenantId)
  expect(closed).toEqual({ ...closedDeposit.closed, at: closedDeposit.closed?.at.toISOString() })
  expect(operatorDepositToJson(deposits.in_review).closed).toBeNull()
})
