import { type Commit, type Committed, type Redated, Unavailable } from '@quipu/core'
import type pg from 'pg'
import { explained, isLost, isTransient, unavailable } from '../connection/database-error.ts'
import type { Database, Statement } from '../connection/database.ts'
import {
  closeLanes,
  endSession,
  type Lane,
  openLanes,
  send,
  type Sent,
} from '../connection/lane.ts'
import { naturalBatches, type Outcome } from '../connection/natural-batches.ts'
import { batchOf, type Item, itemOf } from './payout-items.ts'
import { readResults } from './payout-read-back.ts'

export type LaneCounts = {
  /** Connections for new payouts. Default 2. */
  readonly opening?: number
  /** Connections for ending payouts. Default 2. */
  readonly settling?: number
  /** Connections for recording attempts of webhook deliveries. Default 1. */
  readonly recording?: number
}

type Result = Committed | Redated

export type PayoutCommits = {
  commit(write: Commit): Promise<Result>
  close(): Promise<void>
}

const batchSizeMax = 128

const openPayouts: Statement = {
  name: 'open_payouts',
  text: 'select quipu.open_payouts($1, $2, $3) as verdicts',
}
const settlePayouts: Statement = {
  name: 'settle_payouts',
  text: 'select verdicts, redated from quipu.settle_payouts($1, $2)',
}

/**
 * The one write of payouts, in natural batches.
 *
 * A new payout and the end of an older one never wait for each other: they have lanes apart.
 */
export function payoutCommits(
  database: Database,
  config: pg.ClientConfig,
  { opening = 2, settling = 2 }: LaneCounts = {},
): PayoutCommits {
  const lanesToOpen = openLanes(database, config, opening)
  const lanesToSettle = openLanes(database, config, settling)
  const opens = naturalBatches(
    lanesToOpen,
    batchSizeMax,
    dropExpired(runner(database, openPayouts, () => [database.now()])),
  )
  const settles = naturalBatches(
    lanesToSettle,
    batchSizeMax,
    runner(database, settlePayouts, () => []),
  )
  return {
    commit: async (write) => (write.kind === 'settle' ? settles : opens).add(itemOf(write)),
    close: async () => {
      await Promise.all([opens.idle(), settles.idle()])
      await closeLanes([...lanesToOpen, ...lanesToSettle])
    },
  }
}

type Run = (lane: Lane, items: readonly Item[]) => Promise<Outcome<Result>[]>

/** Whether nobody waits for the item any more: it is not sent. */
const isExpired = ({ commit }: Item): boolean =>
  commit.kind !== 'settle' && commit.deadline !== undefined && commit.deadline.leftMs() <= 0

const expired = (): Outcome<Result> => ({
  error: new Unavailable('store', 'the deadline passed before the write was sent'),
})

/** Runs the items that somebody still waits for. */
function dropExpired(run: Run): Run {
  return async (lane, items) => {
    const dropped = items.map(isExpired)
    if (!dropped.includes(true)) return run(lane, items)
    const live = items.filter((_, place) => !dropped[place])
    const outcomes = live.length > 0 ? await run(lane, live) : []
    return dropped.map((isDropped) => (isDropped ? undefined : outcomes.shift()) ?? expired())
  }
}

/**
 * Runs a batch, and finds out how every item of it ended whatever happens.
 *
 * Rolled back: its items go singly, so that the one at fault fails alone. Lost on the way: the
 * lane's session is ended, so that nothing of it can still be committed; what was is read back and
 * confirmed, and what was not goes singly. Where either fails, as while a standby is stalled, every
 * item of the batch is `Unavailable`: it may have been committed or not.
 */
function runner(database: Database, statement: Statement, clock: () => readonly unknown[]): Run {
  const sendItems = (lane: Lane, items: readonly Item[]): Promise<Sent<Verdicts>> =>
    send<Verdicts>(lane, statement, [...batchOf(items), ...clock()])

  const singly = async (
    lane: Lane,
    items: readonly Item[],
    committed: ReadonlyMap<Item, Result> = new Map(),
  ): Promise<Outcome<Result>[]> => {
    const outcomes: Outcome<Result>[] = []
    let outage: Outcome<Result> | undefined
    for (const item of items) {
      const result = committed.get(item)
      const outcome: Outcome<Result> =
        result === undefined ? (outage ?? (await single(lane, item))) : { result }
      outcomes.push(outcome)
      // The first item that times out fails the rest: each would take its full time to find out.
      if (isOutage(outcome)) outage = outcome
    }
    return outcomes
  }

  const single = async (lane: Lane, item: Item, tries = 3): Promise<Outcome<Result>> => {
    if (isExpired(item)) return expired()
    const sent = await sendItems(lane, [item])
    if (sent.type === 'answered') return outcomeOf(sent.row, 0)
    if (sent.type === 'unsent') return { error: sent.error }
    if (sent.type === 'lost') {
      const committed = await readBack(database, lane, [item], sent.error)
      if (committed instanceof Error) return { error: committed }
      const result = committed.get(item)
      if (result !== undefined) return { result }
    } else if (!isTransient(sent.error)) return { error: explained(sent.error) }
    return tries > 1 ? single(lane, item, tries - 1) : { error: unavailable(sent.error) }
  }

  return async (lane, items) => {
    const sent = await sendItems(lane, items)
    switch (sent.type) {
      case 'answered':
        return items.map((_, place) => outcomeOf(sent.row, place))
      case 'unsent':
        return items.map(() => ({ error: sent.error }))
      case 'rolled_back':
        return singly(lane, items)
      case 'lost': {
        const committed = await readBack(database, lane, items, sent.error)
        if (committed instanceof Error) return items.map(() => ({ error: committed }))
        return singly(lane, items, committed)
      }
    }
  }
}

/** The results of the items of a lost batch that are durable, or why they cannot be found out. */
async function readBack(
  database: Database,
  lane: Lane,
  items: readonly Item[],
  cause: unknown,
): Promise<ReadonlyMap<Item, Result> | Error> {
  try {
    await endSession(database, lane)
    return await readResults(database, items)
  } catch {
    return unavailable(cause)
  }
}

const isOutage = (outcome: Outcome<Result>): boolean =>
  'error' in outcome && outcome.error instanceof Unavailable && isLost(outcome.error.cause)

/** A batch's verdicts, in its order; and the instants of captures that were redated, if any was. */
type Verdicts = {
  readonly verdicts: readonly Committed[]
  readonly redated?: readonly (Date | null)[] | null
}

function outcomeOf(row: Verdicts | undefined, place: number): Outcome<Result> {
  const verdict = row?.verdicts[place]
  if (verdict === undefined)
    return { error: new Error('the database left an item of a batch undecided') }
  const redatedTo = row?.redated?.[place]
  return { result: redatedTo ? { redatedTo } : verdict }
}
