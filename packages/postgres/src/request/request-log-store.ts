import type { RequestLogStore, RequestRecord } from '@quipu/core/operator'
import type { PagePosition } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { pageOf, scannedMax, scannedPageOf } from '../page.ts'

const recorded = arrayParameters<RequestRecord>({
  tenant_ids: ['text', ({ tenantId }) => tenantId],
  ats: ['timestamptz', ({ createdAt }) => createdAt],
  ids: ['uuid', ({ id }) => id],
  key_ids: ['text', ({ keyId }) => keyId],
  request_ids: ['text', ({ requestId }) => requestId],
  methods: ['text', ({ method }) => method],
  paths: ['text', ({ path }) => path],
  statuses: ['int4', ({ status }) => status],
  codes: ['text', ({ code }) => code],
  addresses: ['text', ({ address }) => address],
  durations_ms: ['float8', ({ durationMs }) => durationMs],
  body_digests: ['text', ({ bodyDigest }) => bodyDigest],
  answer_digests: ['text', ({ answerDigest }) => answerDigest],
})

// Decided by migrations/0049-requests.sql.
const recordRequests = statement('record_requests')`select quipu.record_requests(${namedArguments(recorded.names)})`

const columns = `r.tenant_id, r.at, r.id, r.key_id, r.request_id, r.method, r.path, r.status, r.code, r.address,
  r.duration_ms, encode(r.body_digest, 'hex') as body_digest, encode(r.answer_digest, 'hex') as answer_digest`

/** The second condition on `at` excludes partitions, which a comparison of rows does not. */
const among = `r.tenant_id = $1 and (r.at, r.id) < ($2, $3) and r.at <= $2 and r.at >= $4 and r.at <= $5`

const listAll = statement('request.list')`
  select ${columns} from quipu.request_log r where ${among} order by r.at desc, r.id desc limit $6`

/** The filters have no index: filters the next requests of all. */
const listFiltered = statement('request.list_filtered')`
  with scanned as materialized (
    select * from quipu.request_log r where ${among} order by r.at desc, r.id desc limit ${scannedMax}
  )
  select ${columns} from scanned r
  where ($7::int is null or r.status / 100 = $7) and ($8::text is null or r.key_id = $8)
    and ($9::text is null or r.path = $9)
  order by r.at desc, r.id desc limit $6`

const lastScanned = statement('request.last_scanned')`
  select r.id, r.at as "createdAt" from quipu.request_log r where ${among}
  order by r.at desc, r.id desc offset ${scannedMax - 1} limit 1`

export const requestStatements: readonly Statement[] = [listAll, listFiltered, lastScanned]

type RequestRow = {
  readonly tenant_id: string
  readonly at: Date
  readonly id: string
  readonly key_id: string
  readonly request_id: string
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly code: string | null
  readonly address: string
  readonly duration_ms: number
  readonly body_digest: string | null
  readonly answer_digest: string | null
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Tenants' requests in PostgreSQL, partitioned by day. */
export const postgresRequestLogStore = (database: Database): RequestLogStore => ({
  record: async (requests) => void (await database.query(recordRequests, recorded.encode(requests))),
  list: async (tenantId, { limit, after, from, to, statusClass, keyId, path }) => {
    const bounds = [tenantId, after?.createdAt ?? 'infinity', after?.id ?? lastId, from ?? '-infinity']
    const place = [...bounds, to ?? 'infinity']
    const read = async (statement: Statement, ...more: readonly unknown[]) =>
      (await database.list<RequestRow>(statement, [...place, limit + 1, ...more])).map(requestFromRow)
    if (statusClass === undefined && keyId === undefined && path === undefined)
      return pageOf(await read(listAll), limit)
    return scannedPageOf(await read(listFiltered, statusClass, keyId, path), limit, async () => {
      const [row] = await database.list<PagePosition>(lastScanned, place)
      return row
    })
  },
})

const requestFromRow = (row: RequestRow): RequestRecord => ({
  id: row.id,
  tenantId: row.tenant_id,
  keyId: row.key_id,
  requestId: row.request_id,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  address: row.address,
  durationMs: row.duration_ms,
  bodyDigest: row.body_digest,
  answerDigest: row.answer_digest,
  createdAt: row.at,
})
