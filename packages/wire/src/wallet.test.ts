import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { wallet, walletToJson } from './wallet.ts'

const own = {
  id: 'wal_01KAGZ8M88000000000000000D',
  tenantId: 'ten_1',
  available: usdt(989_796_647n),
  held: usdt(10_203_353n),
  createdAt: new Date('2026-11-20T00:00:00Z'),
  updatedAt: new Date('2026-11-20T15:04:05.006Z'),
}

const json = {
  id: 'wal_01KAGZ8M88000000000000000D',
  currency: 'USDT',
  available: '989.796647',
  held: '10.203353',
  total: '1000.000000',
  top_up_addresses: [],
  created_at: '2026-11-20T00:00:00.000Z',
  updated_at: '2026-11-20T15:04:05.006Z',
}

test('a wallet shows what is available, what is held, and both together', () => {
  expect(walletToJson(own, [])).toEqual(json)
  expect(wallet.parse(json)).toEqual(json)
})

test('spec §1: a wallet lists its top-up addresses', () => {
  const address = { chain: 'tron', address: 'TXYZ', minimumAmount: usdt(1_000_000n) } as const
  const shown = walletToJson(own, [address])
  expect(shown.top_up_addresses).toEqual([
    { chain: 'tron', currency: 'USDT', address: 'TXYZ', minimum_amount: '1.000000' },
  ])
  expect(wallet.parse(shown)).toEqual(shown)
})
