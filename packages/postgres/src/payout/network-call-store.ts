import type { CallAuthor, NetworkCall, NetworkCallStore } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'

// Decided by migrations/0025-payout-decisions.sql.
const recordNetworkCalls = statement('record_network_calls')`select quipu.record_network_calls($1, $2, $3)`

const listNetworkCalls = statement('network_call.list')`
  select c.* from quipu.network_call c
  where c.payout_id = $4 and c.tenant_id = $5 and (c.queried_at, c.id) < ($1, $2)
  order by c.queried_at desc, c.id desc limit $3`

type NetworkCallRow = {
  readonly id: string
  readonly kind: NetworkCall['kind']
  readonly queried_by: NetworkCall['queriedBy']
  readonly actor: string | null
  readonly queried_at: Date
  readonly duration_ms: number
  readonly answer: NetworkCall['answer']
  readonly detail: string | null
}

/** Calls to the network in PostgreSQL. `yield_payout` writes them, too. */
export const postgresNetworkCallStore = (database: Database): NetworkCallStore => ({
  record: async ({ tenantId, payoutId }, calls) => {
    if (calls.length === 0) return
    await database.query(recordNetworkCalls, [tenantId, payoutId, callsToJson(calls)])
  },
  list: async ({ tenantId, payoutId }, query) => {
    const values = [...keysetOf(query), payoutId, tenantId]
    const rows = await database.read<NetworkCallRow>(listNetworkCalls, values)
    return pageOf(rows.map(callFromRow), query.limit)
  },
})

/** The argument of `record_network_calls`; null when there are none. */
export const callsToJson = (calls: readonly NetworkCall[]): string | null =>
  calls.length === 0
    ? null
    : JSON.stringify(
        calls.map(({ queriedBy, createdAt, durationMs, ...call }) => ({
          ...call,
          queried_by: queriedBy,
          queried_at: createdAt,
          duration_ms: durationMs,
        })),
      )

function callFromRow({ id, kind, answer, detail, ...row }: NetworkCallRow): NetworkCall {
  const author = { queriedBy: row.queried_by, actor: row.actor } as CallAuthor
  return { ...author, id, kind, answer, detail, createdAt: row.queried_at, durationMs: row.duration_ms }
}
