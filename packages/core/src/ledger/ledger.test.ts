import fc from 'fast-check'
import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import {
  type LedgerAccount,
  type Balance,
  isBalanced,
  balanceDrift,
  transferLegs,
  postTransfer,
  type Transfer,
  type TransferType,
} from './ledger.ts'

const types: readonly TransferType[] = ['hold', 'capture', 'release', 'deposit', 'adjustment_in', 'adjustment_out']
const transfers: fc.Arbitrary<Transfer> = fc.record({
  type: fc.constantFrom(...types),
  amount: fc.bigInt({ min: 1n, max: 10n ** 12n }).map(usdt),
})
const empty: Balance = { available: usdt(0n), held: usdt(0n) }

/** Posts each transfer that fits, and sums the postings of every account. */
function postAll(history: readonly Transfer[]) {
  const sums: Record<LedgerAccount, bigint> = { available: 0n, held: 0n, payouts: 0n, deposits: 0n, adjustments: 0n }
  let balance = empty
  for (const transfer of history) {
    const next = postTransfer(balance, transfer)
    if (!next) continue
    const { debit, credit } = transferLegs[transfer.type]
    sums[debit] -= transfer.amount.minor
    sums[credit] += transfer.amount.minor
    balance = next
  }
  return { balance, sums }
}

test('every transfer debits one account and credits another, so all accounts sum to zero', () => {
  fc.assert(
    fc.property(fc.array(transfers), (history) => {
      const { sums } = postAll(history)
      expect(Object.values(sums).reduce((a, b) => a + b)).toBe(0n)
    }),
  )
})

test('available and held are never negative and equal the sums of their postings', () => {
  fc.assert(
    fc.property(fc.array(transfers), (history) => {
      const { balance, sums } = postAll(history)
      expect(balance.available.minor).toBe(sums.available)
      expect(balance.held.minor).toBe(sums.held)
      expect(sums.available >= 0n && sums.held >= 0n).toBe(true)
    }),
  )
})

test('a transfer that does not fit moves nothing', () => {
  expect(postTransfer(empty, { type: 'hold', amount: usdt(1n) })).toBeUndefined()
  expect(postTransfer(empty, { type: 'capture', amount: usdt(1n) })).toBeUndefined()
  expect(postTransfer(empty, { type: 'release', amount: usdt(1n) })).toBeUndefined()
  expect(postTransfer(empty, { type: 'adjustment_out', amount: usdt(1n) })).toBeUndefined()
})

test('a released hold restores the wallet, and a captured one costs its amount', () => {
  const wallet = { available: usdt(10n), held: usdt(0n) }
  const held = postTransfer(wallet, { type: 'hold', amount: usdt(4n) }) ?? empty
  expect(held).toEqual({ available: usdt(6n), held: usdt(4n) })
  expect(postTransfer(held, { type: 'release', amount: usdt(4n) })).toEqual(wallet)
  expect(postTransfer(held, { type: 'capture', amount: usdt(4n) })).toEqual({ available: usdt(6n), held: usdt(0n) })
})

test('detects a drift of one micro-USDT', () => {
  const totals = { credited: usdt(10n), debited: usdt(3n), adjusted: usdt(-1n), held: usdt(2n) }
  expect(isBalanced({ available: usdt(4n), held: usdt(2n) }, totals)).toBe(true)
  expect(isBalanced({ available: usdt(5n), held: usdt(2n) }, totals)).toBe(false)
  expect(isBalanced({ available: usdt(3n), held: usdt(3n) }, totals)).toBe(false)
  expect(balanceDrift({ available: usdt(4n), held: usdt(2n) }, totals)).toEqual(usdt(0n))
  expect(balanceDrift({ available: usdt(3n), held: usdt(3n) }, totals)).toEqual(usdt(2n))
})
