import type { RequestLogStore } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

/** The newest requests of each tenant: memory has no retention by age. */
const keptOfTenant = 50

/** Requests in memory, the newest 50 of each tenant. */
export const memoryRequestLogStore = (database: Database): RequestLogStore => ({
  record: async (requests) => {
    for (const request of requests) {
      const kept = database.requests.get(request.tenantId) ?? []
      if (kept.some(({ id }) => id === request.id)) continue
      const rows = [...kept, request].toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
      database.requests.set(request.tenantId, rows.slice(-keptOfTenant))
    }
  },
  list: async (tenantId, { limit, after, from, to, statusClass, keyId, path }) => {
    const found = (database.requests.get(tenantId) ?? []).filter(
      (row) =>
        (after === undefined || isBefore(row, after)) &&
        (from === undefined || row.createdAt >= from) &&
        (to === undefined || row.createdAt <= to) &&
        (statusClass === undefined || Math.floor((row.status ?? 0) / 100) === statusClass) &&
        (keyId === undefined || row.keyId === keyId) &&
        (path === undefined || row.path === path),
    )
    const items = found.toReversed().slice(0, limit)
    const last = items.at(-1)
    return { items, next: last && found.length > limit ? { createdAt: last.createdAt, id: last.id } : null }
  },
})

type Place = { readonly createdAt: Date; readonly id: string }

const isBefore = (a: Place, b: Place): boolean =>
  a.createdAt < b.createdAt || (a.createdAt.getTime() === b.createdAt.getTime() && a.id < b.id)
