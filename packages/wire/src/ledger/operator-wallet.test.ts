import { toDecimal, usdt } from '@quipu/core'
import type { WalletOverview } from '@quipu/core/operator'
import { anyId, anyInstant, anyUsdt } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectFilters } from '../list/query.fixture.ts'
import { operatorWalletPage, operatorWalletToJson, parseOperatorWalletList } from './operator-wallet.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'

const anyWallet: fc.Arbitrary<WalletOverview> = fc.record({
  id: anyId('wal'),
  tenantId: anyId('ten'),
  available: anyUsdt,
  held: anyUsdt,
  newestEntryAt: fc.option(anyInstant),
  createdAt: anyInstant,
  updatedAt: anyInstant,
})

test('a wallet shows its balances, their sum and its newest entry', () => {
  fc.assert(
    fc.property(anyWallet, (wallet) => {
      const json = operatorWalletToJson(wallet)
      expect(json).toEqual({
        id: wallet.id,
        tenant_id: wallet.tenantId,
        currency: 'USDT',
        available: toDecimal(wallet.available),
        held: toDecimal(wallet.held),
        total: toDecimal(usdt(wallet.available.minor + wallet.held.minor)),
        newest_entry_at: wallet.newestEntryAt?.toISOString() ?? null,
        created_at: wallet.createdAt.toISOString(),
        updated_at: wallet.updatedAt.toISOString(),
      })
      const page = { data: [json], next_cursor: null }
      expect(operatorWalletPage.parse(page)).toEqual(page)
    }),
  )
})

test('the list of wallets takes a tenant, and binds its cursors to it', () => {
  const filters = { '': {}, [`tenant_id=${tenantId}`]: { tenantId } }
  expectFilters(parseOperatorWalletList, filters, 'wal_01K6HZ8M00000000000000000A')
})
