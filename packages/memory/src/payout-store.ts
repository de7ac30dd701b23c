import type { Known, Payout, PayoutQuery, PayoutStore } from '@quipu/core'
import type { Database, Room } from './database.ts'
import { commitPayout } from './payout-commit.ts'
import { isLeased, payoutLeases } from './payout-leases.ts'
import { viewQuote } from './quote-store.ts'

export function memoryPayoutStore(database: Database): PayoutStore {
  const roomOf = (tenantId: string): Room | undefined => database.rooms.get(tenantId)
  return {
    look: async (tenantId, transactionId, quoteId) => {
      const room = roomOf(tenantId)
      const quote = viewQuote(database, tenantId, quoteId)
      const resolutionId = quote?.quote.resolutionId ?? null
      return {
        known: findKnown(database, room, transactionId),
        quote,
        resolution: resolutionId === null ? undefined : room?.resolutions.get(resolutionId),
      }
    },
    find: async (tenantId, transactionId) => findKnown(database, roomOf(tenantId), transactionId),
    get: async (tenantId, id) => roomOf(tenantId)?.payouts.get(id)?.payout,
    list: async (tenantId, query) => {
      const room = roomOf(tenantId)
      if (room === undefined) return { items: [], next: null }
      return room.payoutOrder.page(query, (id) => {
        const payout = room.payouts.get(id)?.payout
        return payout !== undefined && matches(payout, query) ? payout : undefined
      })
    },
    commit: async (write) => commitPayout(database, write),
    ...payoutLeases(database),
  }
}

function findKnown(
  database: Database,
  room: Room | undefined,
  transactionId: string,
): Known | undefined {
  const id = room?.transactions.get(transactionId)
  const row = id === undefined ? undefined : room?.payouts.get(id)
  return row && { ...row, leased: isLeased(database, row.payout.id) }
}

const matches = (payout: Payout, { status, transactionId }: PayoutQuery): boolean =>
  (status === undefined || payout.status === status) &&
  (transactionId === undefined || payout.transactionId === transactionId)
