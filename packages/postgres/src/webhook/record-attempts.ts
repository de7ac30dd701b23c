import type { AttemptRecord, RecordedAttempt } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'
import { attemptText } from './delivery-row.ts'

const attempts = arrayParameters<AttemptRecord>({
  endpoints: ['text', ({ claim }) => claim.endpointId],
  events: ['uuid', ({ claim }) => claim.eventId],
  tokens: ['int4', ({ claim }) => claim.fencingToken],
  attempts: ['text', ({ attempt }) => attemptText(attempt)],
  results: ['text', ({ decision }) => decision.type],
  retry_ms: ['float8', ({ decision }) => (decision.type === 'retry' ? decision.inMs : null)],
  slow: ['bool', ({ isSlow }) => isSlow],
  pause_after: ['int4', ({ pauseAfter }) => pauseAfter],
  alert_after: ['int4', ({ alertAfterSeconds }) => alertAfterSeconds],
})

// Decided by migrations/0016-delivery-records.sql.
const recordAttempts = statement('record_attempts')`
  select counts, pauses, failing
  from quipu.record_attempts(${namedArguments([...attempts.names, 'clock_override'])})`

const readBack = statement('delivery.recorded_attempts')`
  select i.place::int - 1 as place, e.consecutive_failures as consecutive_failures, r.has_paused
  from unnest($1::text[], $2::uuid[], $3::int[]) with ordinality
    i (endpoint_id, event_id, fencing_token, place)
  cross join lateral (
    select d.has_paused from quipu.delivery d
    where d.endpoint_id = i.endpoint_id and d.event_id = i.event_id
      and d.recorded_at = uuid_extract_timestamp(i.event_id) and d.fencing_token = i.fencing_token
    union all
    select false from quipu.delivery_open d
    where d.endpoint_id = i.endpoint_id and d.event_id = i.event_id
      and d.recorded_token = i.fencing_token
    limit 1
  ) r
  join quipu.webhook_endpoint e on e.id = i.endpoint_id`

type Row = {
  /** The endpoint's consecutive failures after each attempt; null when its claim is not the newest. */
  readonly counts: readonly (number | null)[]
  readonly pauses: readonly boolean[]
  readonly failing: readonly boolean[]
}

/** Records attempts of any outcome. */
export const recordAttemptsProtocol = (
  database: Pick<Database, 'read' | 'clockOverride'>,
): BatchProtocol<AttemptRecord, Row, RecordedAttempt> => ({
  statement: recordAttempts,
  encode: (records) => [...attempts.encode(records), database.clockOverride()],
  resultOf: ({ counts, pauses, failing }, place) => {
    const consecutiveFailures = counts[place]
    if (consecutiveFailures === undefined) return undefined
    if (consecutiveFailures === null) return { type: 'stale' }
    const hasPaused = pauses[place] ?? false
    const recorded = { type: 'recorded', consecutiveFailures, hasPaused } as const
    return failing[place] ? { ...recorded, isFailingLong: true } : recorded
  },
  readBack: async (records) => {
    type Durable = { place: number; consecutive_failures: number; has_paused: boolean }
    const rows = await database.read<Durable>(readBack, [
      records.map(({ claim }) => claim.endpointId),
      records.map(({ claim }) => claim.eventId),
      records.map(({ claim }) => claim.fencingToken),
    ])
    return foundResults(records, rows, (_record, row) => ({
      type: 'recorded',
      consecutiveFailures: row.consecutive_failures,
      hasPaused: row.has_paused,
    }))
  },
})
