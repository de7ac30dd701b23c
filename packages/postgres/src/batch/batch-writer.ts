import { Unavailable } from '@quipu/core'
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
} from './batch-connection.ts'
import { naturalBatches, type Outcome } from './natural-batches.ts'

/** How items of one kind are written in batches. */
export type BatchProtocol<Item, Row extends pg.QueryResultRow, Result> = {
  /** Calls one function, which decides item by item and answers one row. */
  readonly statement: Statement
  /** The function's parameters. */
  encode(items: readonly Item[]): readonly unknown[]
  /** The item's result; undefined when the row lacks it, which is a bug. */
  resultOf(row: Row, place: number, item: Item): Result | undefined
  /** The results of those items that are durable, after the answer to their batch was lost. */
  readBack(items: readonly Item[]): Promise<ReadonlyMap<Item, Result>>
  /** Whether nobody waits for the item any more: it is not sent. */
  isExpired?(item: Item): boolean
  /**
   * Whose item it is, and whether a result makes the whole batch cost twice. For some seconds after such
   * a result that owner's items go in calls of their own, so that nobody else pays for them.
   */
  readonly isolation?: {
    ownerOf(item: Item): string
    isCostly(result: Result): boolean
    now(): number
  }
}

export type BatchWriter<Item, Result> = {
  /** Answers after the item's own batch has run and is durable. */
  write(item: Item): Promise<Result>
  /** Finishes what was begun, then closes the connections. */
  close(): Promise<void>
}

const batchSizeMax = 128
const triesMax = 3
const isolatedMs = 10_000

/**
 * Writes items in natural batches, and finds out how every item ended whatever happens.
 *
 * Rolled back: the batch's items go singly, so that the one at fault fails alone. Lost on the way: the
 * connection's session is ended, so that nothing of it can still be committed; what was is read back and
 * confirmed, and what was not goes singly. Where either fails, as while a standby is stalled, every item
 * of the batch is `Unavailable`: it may have been committed or not.
 */
export function batchWriter<Item, Row extends pg.QueryResultRow, Result>(
  database: Database,
  config: pg.ClientConfig,
  connections: number,
  protocol: BatchProtocol<Item, Row, Result>,
): BatchWriter<Item, Result> {
  const lanes = openLanes(database, config, connections)
  const run = dropExpired(protocol, isolating(protocol, runner(database, protocol)))
  const batches = naturalBatches(lanes, batchSizeMax, run)
  return {
    write: batches.add,
    close: async () => {
      await batches.idle()
      await closeLanes(lanes)
    },
  }
}

type Run<Item, Result> = (lane: Lane, items: readonly Item[]) => Promise<Outcome<Result>[]>

const expired = <Result>(): Outcome<Result> => ({
  error: new Unavailable('store', 'the deadline passed before the write was sent'),
})

/** Runs the items that somebody still waits for. */
function dropExpired<Item, Row extends pg.QueryResultRow, Result>(
  { isExpired }: BatchProtocol<Item, Row, Result>,
  run: Run<Item, Result>,
): Run<Item, Result> {
  if (isExpired === undefined) return run
  return async (lane, items) => {
    if (!items.some(isExpired)) return run(lane, items)
    return inGroups(items, (item) => !isExpired(item), {
      yes: (live) => run(lane, live),
      no: async (dropped) => dropped.map(() => expired<Result>()),
    })
  }
}

/** Runs the items of owners with costly results apart from the others. */
function isolating<Item, Row extends pg.QueryResultRow, Result>(
  { isolation }: BatchProtocol<Item, Row, Result>,
  run: Run<Item, Result>,
): Run<Item, Result> {
  if (isolation === undefined) return run
  const { ownerOf, isCostly, now } = isolation
  const isolatedUntil = new Map<string, number>()
  const isApart = (item: Item): boolean => isolatedUntil.has(ownerOf(item))
  const forget = (): void => {
    const at = now()
    for (const [owner, until] of isolatedUntil) if (until <= at) isolatedUntil.delete(owner)
  }
  const noting: Run<Item, Result> = async (lane, items) => {
    const outcomes = await run(lane, items)
    outcomes.forEach((outcome, place) => {
      const item = items[place]
      if (item !== undefined && 'result' in outcome && isCostly(outcome.result))
        isolatedUntil.set(ownerOf(item), now() + isolatedMs)
    })
    return outcomes
  }
  return async (lane, items) => {
    forget()
    if (isolatedUntil.size === 0 || !items.some(isApart)) return noting(lane, items)
    return inGroups(items, (item) => !isApart(item), {
      yes: (others) => noting(lane, others),
      no: (apart) => noting(lane, apart),
    })
  }
}

type Group<Item, Result> = (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>

/** Runs two groups of items one after the other; the outcomes are in the order of all. */
async function inGroups<Item, Result>(
  items: readonly Item[],
  isYes: (item: Item) => boolean,
  { yes, no }: Readonly<Record<'yes' | 'no', Group<Item, Result>>>,
): Promise<Outcome<Result>[]> {
  const sides = items.map(isYes)
  const runSide = async (side: boolean, group: Group<Item, Result>) => {
    const members = items.filter((_, place) => sides[place] === side)
    return (members.length > 0 ? await group(members) : [])[Symbol.iterator]()
  }
  const [ofYes, ofNo] = [await runSide(true, yes), await runSide(false, no)]
  return sides.map((side): Outcome<Result> => {
    const next = (side ? ofYes : ofNo).next()
    return next.done ? undecided() : next.value
  })
}

const undecided = <Result>(): Outcome<Result> => ({
  error: new Error('the database left an item of a batch undecided'),
})

/** Sends items, and finds out what became of them when the answer was lost. */
type Batch<Item, Row extends pg.QueryResultRow, Result> = {
  send(lane: Lane, items: readonly Item[]): Promise<Sent<Row>>
  outcomeOf(row: Row | undefined, place: number, item: Item): Outcome<Result>
  /** The results of the items of a lost batch that are durable, or why they cannot be found out. */
  findOut(
    lane: Lane,
    items: readonly Item[],
    cause: unknown,
  ): Promise<ReadonlyMap<Item, Result> | Error>
  isExpired(item: Item): boolean
}

function batchOf<Item, Row extends pg.QueryResultRow, Result>(
  database: Database,
  { statement, encode, resultOf, readBack, isExpired }: BatchProtocol<Item, Row, Result>,
): Batch<Item, Row, Result> {
  return {
    send: (lane, items) => send<Row>(lane, statement, encode(items)),
    outcomeOf: (row, place, item) => {
      const result = row && resultOf(row, place, item)
      return result === undefined ? undecided() : { result }
    },
    findOut: async (lane, items, cause) => {
      try {
        await endSession(database, lane)
        return await readBack(items)
      } catch {
        return unavailable(cause)
      }
    },
    isExpired: (item) => isExpired?.(item) ?? false,
  }
}

async function single<Item, Row extends pg.QueryResultRow, Result>(
  batch: Batch<Item, Row, Result>,
  lane: Lane,
  item: Item,
  tries = triesMax,
): Promise<Outcome<Result>> {
  if (batch.isExpired(item)) return expired()
  const sent = await batch.send(lane, [item])
  if (sent.type === 'answered') return batch.outcomeOf(sent.row, 0, item)
  if (sent.type === 'unsent') return { error: sent.error }
  if (sent.type === 'lost') {
    const durable = await batch.findOut(lane, [item], sent.error)
    if (durable instanceof Error) return { error: durable }
    const result = durable.get(item)
    if (result !== undefined) return { result }
  } else if (!isTransient(sent.error)) return { error: explained(sent.error) }
  return tries > 1 ? single(batch, lane, item, tries - 1) : { error: unavailable(sent.error) }
}

async function singly<Item, Row extends pg.QueryResultRow, Result>(
  batch: Batch<Item, Row, Result>,
  lane: Lane,
  items: readonly Item[],
  durable: ReadonlyMap<Item, Result> = new Map(),
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = []
  let outage: Outcome<Result> | undefined
  for (const item of items) {
    const result = durable.get(item)
    const outcome =
      result === undefined ? (outage ?? (await single(batch, lane, item))) : { result }
    outcomes.push(outcome)
    // The first item that times out fails the rest: each would take its full time to find out.
    if (isOutage(outcome)) outage = outcome
  }
  return outcomes
}

function runner<Item, Row extends pg.QueryResultRow, Result>(
  database: Database,
  protocol: BatchProtocol<Item, Row, Result>,
): Run<Item, Result> {
  const batch = batchOf(database, protocol)
  return async (lane, items) => {
    const sent = await batch.send(lane, items)
    switch (sent.type) {
      case 'answered':
        return items.map((item, place) => batch.outcomeOf(sent.row, place, item))
      case 'unsent':
        return items.map(() => ({ error: sent.error }))
      case 'rolled_back':
        return singly(batch, lane, items)
      case 'lost': {
        const durable = await batch.findOut(lane, items, sent.error)
        if (durable instanceof Error) return items.map(() => ({ error: durable }))
        return singly(batch, lane, items, durable)
      }
    }
  }
}

const isOutage = <Result>(outcome: Outcome<Result>): boolean =>
  'error' in outcome && outcome.error instanceof Unavailable && isLost(outcome.error.cause)
