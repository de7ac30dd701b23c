import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { operatorWalletToJson } from './operator-wallet.ts'

test('a wallet shows its balances, and their sum', () => {
  const [available, held] = [usdt(3_000_001n), usdt(2_000_000n)]
  const json = operatorWalletToJson({ ...example.wallet, available, held, newestEntryAt: null })
  const shown = { tenant_id: example.wallet.tenantId, available: '3.000001', held: '2.000000', total: '5.000001' }
  expect(json).toMatchObject({ ...shown, newest_entry_at: null })
})
