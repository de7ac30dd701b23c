import { expect, test } from 'vitest'
import { closedDeposit, deposits } from '../openapi/funding-example.ts'
import { issuesOf } from '../list/query.fixture.ts'
import {
  operatorDepositDetailToJson,
  operatorDepositToJson,
  parseCloseDeposits,
  parseReturnDeposit,
} from './operator-deposit.ts'

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

test('a return names one address and one transaction, and each review is closed once', () => {
  const evidence = { note: 'The block explorer’s page', digest: 'ab'.repeat(32) }
  const [to_address, tx_hash] = ['TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', '5e'.repeat(32)]
  const refused = (change: object) =>
    issuesOf(parseReturnDeposit({ to_address, tx_hash, reason: 'Returned.', evidence, ...change })).length
  expect(refused({})).toBe(0)
  for (const around of [`x${to_address}`, `${to_address}x`]) expect(refused({ to_address: around })).toBe(1)
  for (const around of [`0${tx_hash}`, `${tx_hash}0`]) expect(refused({ tx_hash: around })).toBe(1)
  const [id, other] = ['A', 'B'].map((last) => `dep_01K6HZ8M00000000000000000${last}`) as [string, string]
  const close = (deposit_ids: readonly string[]) =>
    issuesOf(parseCloseDeposits({ deposit_ids, reason: 'Dust.' })).length
  expect([close([id, other]), close([id, id])]).toEqual([0, 1])
})
