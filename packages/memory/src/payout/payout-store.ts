import type { Payout } from '@quipu/core'
import type { StoredPayout, PayoutQuery, PayoutStore } from '@quipu/core/adapter'
import { type Database, positionOf, type TenantData } from '../table/database.ts'
import { newestFirst, type NewestFirst } from '../newest-first.ts'
import { commitPayout } from './payout-commit.ts'
import { isLeased, payoutClaims } from './payout-claims.ts'
import { viewQuote } from '../quote/quote-store.ts'

export function memoryPayoutStore(database: Database): PayoutStore {
  const tenantDataOf = (tenantId: string): TenantData | undefined => database.tenants.get(tenantId)
  return {
    findForCreate: async (tenantId, transactionId, quoteId) => {
      const tenantData = tenantDataOf(tenantId)
      const quote = viewQuote(database, tenantId, quoteId)
      const resolutionId = quote?.quote.resolutionId ?? null
      return {
        stored: findStored(database, tenantData, transactionId),
        quote,
        resolution: resolutionId === null ? undefined : tenantData?.resolutions.get(resolutionId),
      }
    },
    find: async (tenantId, transactionId) => findStored(database, tenantDataOf(tenantId), transactionId),
    get: async (tenantId, id) => tenantDataOf(tenantId)?.payouts.get(id)?.payout,
    list: async (tenantId, query) => {
      const tenantData = tenantDataOf(tenantId)
      if (tenantData === undefined) return { items: [], next: null }
      return placesOf(tenantData, query).page(query, (id) => {
        const payout = tenantData.payouts.get(id)?.payout
        const status = query.isOpen ? 'processing' : query.status
        return payout && (status === undefined || payout.status === status) && isLabelled(payout, query)
          ? payout
          : undefined
      })
    },
    commit: async (write) => commitPayout(database, write),
    ...payoutClaims(database),
  }
}

const isLabelled = (payout: Payout, { description, metadata = {} }: PayoutQuery): boolean =>
  (description === undefined || payout.description === description) &&
  Object.entries(metadata).every(([key, value]) => payout.metadata?.[key] === value)

function findStored(
  database: Database,
  tenantData: TenantData | undefined,
  transactionId: string,
): StoredPayout | undefined {
  const id = tenantData?.transactions.get(transactionId)
  const row = id === undefined ? undefined : tenantData?.payouts.get(id)
  if (row === undefined) return undefined
  const ageMs = database.now().getTime() - row.payout.createdAt.getTime()
  return { ...row, leased: isLeased(database, row.payout.id), ageMs }
}

/** The index that a list walks through; with a `transaction_id` it has at most one position. */
function placesOf(tenantData: TenantData, { transactionId }: PayoutQuery): NewestFirst {
  if (transactionId === undefined) return tenantData.payoutOrder
  const row = tenantData.payouts.get(tenantData.transactions.get(transactionId) ?? '')
  const places = newestFirst()
  if (row !== undefined) places.add(positionOf(row.payout))
  return places
}
