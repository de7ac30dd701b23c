import type { Known, PayoutQuery, PayoutStore } from '@quipu/core'
import { type Database, positionOf, type Room } from '../database.ts'
import { newestFirst, type NewestFirst } from '../newest-first.ts'
import { commitPayout } from './payout-commit.ts'
import { isLeased, payoutLeases } from './payout-leases.ts'
import { viewQuote } from '../quote/quote-store.ts'

export function memoryPayoutStore(database: Database): PayoutStore {
  const roomOf = (tenantId: string): Room | undefined => database.rooms.get(tenantId)
  return {
    findForCreate: async (tenantId, transactionId, quoteId) => {
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
      return placesOf(room, query).page(query, (id) => {
        const payout = room.payouts.get(id)?.payout
        return query.status === undefined || payout?.status === query.status ? payout : undefined
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
  if (row === undefined) return undefined
  const ageMs = database.now().getTime() - row.payout.createdAt.getTime()
  return { ...row, leased: isLeased(database, row.payout.id), ageMs }
}

/** Where the payouts are that a list goes through: at most one place with a `transaction_id`. */
function placesOf(room: Room, { transactionId }: PayoutQuery): NewestFirst {
  if (transactionId === undefined) return room.payoutOrder
  const row = room.payouts.get(room.transactions.get(transactionId) ?? '')
  const places = newestFirst()
  if (row !== undefined) places.add(positionOf(row.payout))
  return places
}
