import type { AttemptRecord } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'

/** Deliveries of one run that were delivered at the first attempt. */
export type RunPart = readonly AttemptRecord[]

/** A part, and the place of its first record among those of all parts, from 1. */
type Start = { readonly first: AttemptRecord | undefined; readonly place: number }

const starts = arrayParameters<Start>({
  endpoints: ['text', ({ first }) => first?.claim.endpointId],
  first_seqs: ['int8', ({ first }) => first?.claim.run?.seq],
  starts: ['int4', ({ place }) => place],
})

const attempts = arrayParameters<AttemptRecord>({
  events: ['uuid', ({ claim }) => claim.eventId],
  attempted: ['timestamptz', ({ attempt }) => attempt.at],
  status_codes: ['int4', ({ attempt }) => attempt.statusCode],
  latencies_ms: ['int4', ({ attempt }) => attempt.latencyMs],
  excerpts: ['text', ({ attempt }) => attempt.excerpt],
})

// Decided by migrations/0016-delivery-records.sql.

const recordRuns = statement('record_runs')`
  select quipu.record_runs(${namedArguments([...starts.names, ...attempts.names, 'clock_override'])}) as recorded`

/** A part is one row of `delivered_run`, so its first event is there or none of them. */
const readBack = statement('delivery.recorded_runs')`
  select i.place::int - 1 as place
  from unnest($1::text[], $2::uuid[]) with ordinality i (endpoint_id, event_id, place)
  where exists (select from quipu.delivered_in_run(i.endpoint_id, i.event_id))`

type Row = { readonly recorded: readonly boolean[] }

/** Whether `delivered_run` can store the attempt: it is a run's first, delivered, and of a fast endpoint. */
export const fitsDeliveredRun = ({ claim, attempt, decision, isSlow }: AttemptRecord): boolean =>
  decision.type === 'delivered' &&
  !isSlow &&
  claim.fencingToken === firstToken &&
  attempt.error === null &&
  attempt.statusCode !== null &&
  (attempt.excerpt === null || isStorable(attempt.excerpt))

/** A run is leased once, so the fencing token of its claim is 1. */
const firstToken = 1

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Records parts of runs. The result is false when a part must be recorded singly, by `record_attempts`. */
export const recordRunsProtocol = (
  database: Pick<Database, 'read' | 'clockOverride'>,
): BatchProtocol<RunPart, Row, boolean> => ({
  statement: recordRuns,
  encode: (parts) => {
    let next = 1
    const firsts = parts.map(({ 0: first, length }) => ({ first, place: (next += length) - length }))
    return [...starts.encode(firsts), ...attempts.encode(parts.flat()), database.clockOverride()]
  },
  resultOf: ({ recorded }, place) => recorded[place],
  readBack: async (parts) => {
    const rows = await database.read<{ place: number }>(readBack, [
      parts.map((part) => part[0]?.claim.endpointId),
      parts.map((part) => part[0]?.claim.eventId),
    ])
    return foundResults(parts, rows, () => true)
  },
})
