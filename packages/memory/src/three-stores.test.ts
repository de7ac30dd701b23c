import {
  adjustWallet,
  credentialOf,
  type Harness,
  payoutStoreContract,
  quoteStoreContract,
  testOperatorTokens,
} from '@quipu/contracts'
import { memoryStores } from './stores.ts'

// As a program that has stores of payouts, quotes and wallets alone: the suites see no other store.
async function open(): Promise<Harness<'payouts' | 'quotes' | 'wallets' | 'fund'>> {
  let now = new Date('2026-11-21T12:00:00.000Z')
  const { payouts, quotes, wallets, ...own } = memoryStores({ now: () => now, operatorTokens: testOperatorTokens() })
  return {
    payouts,
    quotes,
    wallets,
    fund: async (tenant, amount) => {
      const id = tenant.id.replace('ten', 'wal')
      await own.tenants.create(tenant, id, credentialOf('ana'))
      const adjustment = { id, tenantId: tenant.id, direction: 'in', amount, reason: 'funds', actor: 'test' } as const
      if (amount.minor > 0n) await adjustWallet({ ...own, wallets }, adjustment)
    },
    advance: async (seconds) => {
      now = new Date(now.getTime() + seconds * 1_000)
    },
    close: async () => {},
  }
}

payoutStoreContract('three stores', open, { runs: 5 })
quoteStoreContract('three stores', open, { runs: 5 })
