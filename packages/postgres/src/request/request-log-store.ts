import type { RequestLogStore, RequestRecord } from '@quipu/core/operator'
import type { PagePosition } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { membersOf } from '../members.ts'
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

// Decided by migrations/0048-requests.sql.
const recordRequests = statement('record_requests')`select quipu.record_requests(${namedArguments(recorded.names)})`

const columns = `${membersOf('r', 'tenant_id id key_id request_id method path status code address duration_ms')},
  r.at as "createdAt", encode(r.body_digest, 'hex') as "bodyDigest", encode(r.answer_digest, 'hex') as "answerDigest"`

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

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Tenants' requests in PostgreSQL, partitioned by day. */
export const postgresRequestLogStore = (database: Database): RequestLogStore => ({
  record: async (requests) => void (await database.query(recordRequests, recorded.encode(requests))),
  list: async (tenantId, { limit, after, from, to, statusClass, keyId, path }) => {
    const bounds = [tenantId, after?.createdAt ?? 'infinity', after?.id ?? lastId, from ?? '-infinity']
    const place = [...bounds, to ?? 'infinity']
    const read = (statement: Statement, ...more: readonly unknown[]) =>
      database.list<RequestRecord>(statement, [...place, limit + 1, ...more])
    if (statusClass === undefined && keyId === undefined && path === undefined)
      return pageOf(await read(listAll), limit)
    return scannedPageOf(await read(listFiltered, statusClass, keyId, path), limit, async () => {
      const [row] = await database.list<PagePosition>(lastScanned, place)
      return row
    })
  },
})
