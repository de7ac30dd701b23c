import type { AttemptRecord, Recorded } from '@quipu/core'
import type pg from 'pg'
import type { Database, Statement } from '../connection/database.ts'
import { explained, isTransient, unavailable } from '../connection/database-error.ts'
import { attemptText } from './delivery-row.ts'
import { closeLanes, endSession, type Lane, openLanes, send } from '../connection/lane.ts'
import { naturalBatches, type Outcome } from '../connection/natural-batches.ts'
import { membersText, rowsText } from '../connection/row-text.ts'

export type AttemptRecords = {
  record(record: AttemptRecord): Promise<Recorded>
  close(): Promise<void>
}

const batchSizeMax = 128
const triesMax = 3

const recordAttempts: Statement = {
  name: 'delivery.record',
  text: 'select streaks, pauses from quipu.record_attempts($1, $2, $3)',
}

/** The one write of attempts, in natural batches. */
export function attemptRecords(
  database: Database,
  config: pg.ClientConfig,
  lanesCount = 1,
): AttemptRecords {
  const lanes = openLanes(database, config, lanesCount)
  const records = naturalBatches(lanes, batchSizeMax, (lane, items: readonly AttemptRecord[]) =>
    run(database, lane, items),
  )
  return {
    record: records.add,
    close: async () => {
      await records.idle()
      await closeLanes(lanes)
    },
  }
}

type Answer = {
  /** Null where the claim is not the newest. */
  readonly streaks: readonly (number | null)[]
  readonly pauses: readonly boolean[]
}

/**
 * Records a batch, and finds out how every item of it ended whatever happens.
 *
 * Rolled back: its items go singly, so that the one at fault fails alone. Lost on the way: the lane's
 * session is ended, so that nothing of it can still be committed, and each item is sent again as one
 * that may be on record already.
 */
async function run(
  database: Database,
  lane: Lane,
  items: readonly AttemptRecord[],
  repeated = false,
  tries = triesMax,
): Promise<Outcome<Recorded>[]> {
  const values = [rowsText(items.map(membersOf)), repeated, database.now()]
  const sent = await send<Answer>(lane, recordAttempts, values)
  if (sent.type === 'answered') return items.map((_, place) => outcomeOf(sent.row, place))
  if (sent.type === 'unsent') return items.map(() => ({ error: sent.error }))
  if (sent.type === 'lost') {
    try {
      await endSession(database, lane)
    } catch {
      return items.map(() => ({ error: unavailable(sent.error) }))
    }
  } else if (items.length === 1 && !isTransient(sent.error))
    return [{ error: explained(sent.error) }]
  if (tries === 1) return items.map(() => ({ error: unavailable(sent.error) }))
  const mayBeKnown = repeated || sent.type === 'lost'
  const outcomes: Outcome<Recorded>[] = []
  for (const item of items)
    outcomes.push(...(await run(database, lane, [item], mayBeKnown, tries - 1)))
  return outcomes
}

function outcomeOf(answer: Answer | undefined, place: number): Outcome<Recorded> {
  const streak = answer?.streaks[place]
  if (streak === undefined)
    return { error: new Error('the database left an item of a batch undecided') }
  if (streak === null) return { result: { type: 'stale' } }
  return { result: { type: 'recorded', streak, hasPaused: answer?.pauses[place] ?? false } }
}

/** The members of `quipu.attempt_record`, in their order there. */
const membersOf = ({ claim, attempt, verdict, isSlow, pauseAfter }: AttemptRecord): string =>
  membersText([
    claim.endpointId,
    claim.eventId,
    claim.fence,
    attemptText(attempt),
    verdict.type,
    verdict.type === 'retry' ? verdict.inMs : null,
    String(isSlow),
    pauseAfter,
  ])
