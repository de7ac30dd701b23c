import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import { auditSweepPlan, auditSweepSignatures } from './audit-sweep.ts'
import { after, batch, start, transferWith } from './sweep.fixture.ts'
import { isLiveSweep, sweepStatuses, sweepTotals } from './sweep.ts'
import { originOf } from '../audit/operator.fixture.ts'

const transfers = [
  transferWith({ trxMissing: 3n }),
  transferWith({ id: 'swp_2', amount: usdt(7n), trxNeeded: 4n, trxMissing: 1n }),
]

test('the totals of a plan are sums over its transfers', () => {
  expect(sweepTotals(transfers)).toEqual({ count: 2, amount: 5000007n, trxNeeded: 24n, trxMissing: 4n })
})

test('a transfer may move tokens until it has ended', () => {
  expect(sweepStatuses.filter((status) => isLiveSweep({ status }))).toEqual(['planned', 'signed'])
})

test('the audit entry of a plan has its treasury, its expiry and its totals', () => {
  expect(auditSweepPlan({ batch, transfers }, originOf('ana'))).toEqual({
    ...originOf('ana'),
    action: 'sweep.plan',
    tenantId: null,
    subject: 'swb_1',
    at: start,
    before: null,
    after: {
      treasury: 'T-treasury',
      threshold_minor: '1000000',
      expires_at: '2026-03-04T06:06:07.089Z',
      transfers: 2,
      amount_minor: '5000007',
    },
  })
})

test('the audit entry of signatures names their transfers in order', () => {
  const author = { ...originOf('bea'), at: after(1) }
  expect(auditSweepSignatures('swb_1', ['swp_2', 'swp_1'], author)).toEqual({
    ...originOf('bea'),
    action: 'sweep.sign',
    tenantId: null,
    subject: 'swb_1',
    at: after(1),
    before: null,
    after: { transfers: ['swp_1', 'swp_2'] },
  })
})
