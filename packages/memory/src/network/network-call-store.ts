import type { NetworkCall, NetworkCallStore, PayoutRef } from '@quipu/core/operator'
import { type Database, type NetworkCallRows, positionOf } from '../table/database.ts'
import { newestFirst } from '../newest-first.ts'

export const memoryNetworkCallStore = (database: Database): NetworkCallStore => ({
  record: async (payout, calls) => recordCalls(database, payout, calls),
  list: async (payout, query) => {
    const rows = database.networkCalls.get(keyOf(payout))
    return rows?.order.page(query, (id) => rows.calls.get(id)) ?? { items: [], next: null }
  },
})

const keyOf = ({ tenantId, payoutId }: PayoutRef): string => `${tenantId}:${payoutId}`

/** @throws Error when the tenant has no such payout that was accepted */
export function recordCalls(database: Database, payout: PayoutRef, calls: readonly NetworkCall[]): void {
  if (calls.length === 0) return
  const stored = database.tenants.get(payout.tenantId)?.payouts.get(payout.payoutId)?.payout
  if (!stored?.quote) throw new Error(`no payout ${payout.payoutId} that was accepted`)
  const key = keyOf(payout)
  const rows: NetworkCallRows = database.networkCalls.get(key) ?? { calls: new Map(), order: newestFirst() }
  database.networkCalls.set(key, rows)
  for (const call of calls) {
    if (rows.calls.has(call.id)) continue
    rows.calls.set(call.id, call)
    rows.order.add(positionOf(call))
  }
}
