import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import { transferWith } from './sweep.fixture.ts'
import { isLiveSweep, sweepStatuses, sweepTotals } from './sweep.ts'

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
