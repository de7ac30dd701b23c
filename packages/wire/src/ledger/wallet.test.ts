import { bob, toDecimal, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { parseWalletQuery, wallet, walletToJson } from './wallet.ts'
import { parseWalletPatch } from './wallet-balance.ts'

const own = {
  id: 'wal_01KAGZ8M88000000000000000D',
  tenantId: 'ten_1',
  available: usdt(989_796_647n),
  held: usdt(10_203_353n),
  usedToday: { amount: usdt(10_203_353n), count: 1 },
  lowBalanceThreshold: null,
  createdAt: new Date('2026-11-20T00:00:00Z'),
  updatedAt: new Date('2026-11-20T15:04:05.006Z'),
}

const limited = {
  pricing: { marginBps: 0, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(5_000_000n) },
  dailyLimits: { amount: usdt(1_000_000_000n), count: null },
}

const json = {
  id: 'wal_01KAGZ8M88000000000000000D',
  currency: 'USDT',
  available: '989.796647',
  held: '10.203353',
  total: '1000.000000',
  top_up_addresses: [],
  payment_cap: { currency: 'BOB', amount: '50000.00' },
  daily_limits: { amount: '1000.000000', count: null },
  used_today: { amount: '10.203353', count: 1 },
  low_balance_threshold: null,
  balance_low: false,
  balance_at: null,
  created_at: '2026-11-20T00:00:00.000Z',
  updated_at: '2026-11-20T15:04:05.006Z',
}

test('a wallet shows available, held and their total', () => {
  expect(walletToJson(own, [], limited)).toEqual(json)
  expect(wallet.parse(json)).toEqual(json)
})

test('spec §1: a wallet lists its top-up addresses', () => {
  const range = { minimumAmount: usdt(1_000_000n), maximumAmount: usdt(100_000_000_000n) }
  const address = { chain: 'tron', address: 'TXYZ', ...range } as const
  const shown = walletToJson(own, [address], limited)
  expect(shown.top_up_addresses).toEqual([
    {
      chain: 'tron',
      currency: 'USDT',
      address: 'TXYZ',
      minimum_amount: '1.000000',
      maximum_automatic_amount: '100000.000000',
    },
  ])
  expect(wallet.parse(shown)).toEqual(shown)
})

test('a past balance has its instant and whether it can still change', () => {
  const at = new Date('2026-11-20T12:00:00.000Z')
  const shown = walletToJson(own, [], limited, { at, status: 'final', total: usdt(5n) })
  expect(shown.balance_at).toEqual({ at: '2026-11-20T12:00:00.000Z', status: 'final', total: '0.000005' })
  expect(wallet.parse(shown)).toEqual(shown)
})

test.each([
  [989_796_647n, false],
  [989_796_648n, true],
])('the threshold %s is shown, and whether less is available', (minor, isLow) => {
  const lowBalanceThreshold = usdt(minor)
  const members = { low_balance_threshold: toDecimal(lowBalanceThreshold), balance_low: isLow }
  expect(walletToJson({ ...own, lowBalanceThreshold }, [], limited)).toEqual({ ...json, ...members })
})

test.each([
  ['500.00', usdt(500_000_000n)],
  ['0.000', null],
])('a threshold of %s', (text, lowBalanceThreshold) =>
  expect(parseWalletPatch({ low_balance_threshold: text })).toEqual({ ok: true, value: { lowBalanceThreshold } }),
)

test.each([
  ['', { ok: true, value: { at: undefined } }],
  ['at=2026-11-20T08:00:00.0009-04:00', { ok: true, value: { at: new Date('2026-11-20T12:00:00.000Z') } }],
  ['at=2026-11-20', { ok: false, issues: [expect.objectContaining({ field: 'at' })] }],
  ['when=now', { ok: false, issues: [expect.objectContaining({ field: 'when' })] }],
])('the query %j', (search, read) => expect(parseWalletQuery(search)).toEqual(read))
