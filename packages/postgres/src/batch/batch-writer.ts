import { Unavailable } from '@quipu/core'
import type pg from 'pg'
import { storeError, isLost, isTransient, unavailable } from '../connection/database-error.ts'
import type { Database, Statement } from '../connection/database.ts'
import { endSession, type BatchConnection, send, type Sent } from './batch-connection.ts'
import { naturalBatches, type Outcome, type WorthWaitingFor } from './natural-batches.ts'
import type { Slots } from './slots.ts'

/** How items of one kind are written: one call of one SQL function for each batch. */
export type BatchProtocol<Item, Row extends pg.QueryResultRow, Result> = {
  /** Calls the function, which decides item by item and returns one row. */
  readonly statement: Statement
  /** The function's parameters: parallel arrays in the binary format, one element an item. */
  encode(items: readonly Item[]): readonly unknown[]
  /** The item's result; undefined when the row lacks it, which is a bug. */
  resultOf(row: Row, place: number, item: Item): Result | undefined
  /** Reads which items are durable, with their results. Called when the answer to their batch was lost. */
  readBack(items: readonly Item[]): Promise<ReadonlyMap<Item, Result>>
  /** Whether the item's deadline has passed: it is not sent. */
  isExpired?(item: Item): boolean
}

export type BatchWriter<Item, Result> = {
  /** Resolves with the item's result once its batch is durable. */
  write(item: Item): Promise<Result>
  /** Resolves when no item is queued or running. */
  idle(): Promise<void>
}

const batchSizeMax = 128
const triesMax = 3

/**
 * Writes items in natural batches and resolves how each of them ended.
 *
 * - The batch is rolled back: its items are sent singly, so that only the one at fault fails.
 * - The answer is lost: the session is ended, so that nothing more of it can commit; the items that are
 *   durable are read back, and the others are sent singly.
 * - The session cannot be ended, or the read-back fails, for instance while a standby is stalled: every
 *   item of the batch is `Unavailable`. It may be committed or not.
 */
export function batchWriter<Item, Row extends pg.QueryResultRow, Result>(
  database: Database,
  connections: Slots<BatchConnection>,
  protocol: BatchProtocol<Item, Row, Result>,
  worthWaitingFor?: WorthWaitingFor,
): BatchWriter<Item, Result> {
  const run = dropExpired(protocol, runner(database, protocol))
  const { name } = protocol.statement
  const batches = naturalBatches<BatchConnection, Item, Result>(
    name,
    connections,
    batchSizeMax,
    async (connection, items) => {
      const startedAt = performance.now()
      const outcomes = await run(connection, items)
      database.observer.batchWritten(name, items.length, (performance.now() - startedAt) / 1000)
      return outcomes
    },
    worthWaitingFor,
  )
  return { write: batches.add, idle: batches.idle }
}

type Run<Item, Result> = (connection: BatchConnection, items: readonly Item[]) => Promise<Outcome<Result>[]>

const expired = <Result>(): Outcome<Result> => ({
  error: new Unavailable('store', 'the deadline passed before the write was sent'),
})

/** The outcome of an item for which a batch returned none, which is a bug. */
const undecided = <Result>(): Outcome<Result> => ({
  error: new Error('the answer of the database has no result for an item of the batch'),
})

/** Runs the items whose deadline has not passed. */
function dropExpired<Item, Row extends pg.QueryResultRow, Result>(
  { isExpired }: BatchProtocol<Item, Row, Result>,
  run: Run<Item, Result>,
): Run<Item, Result> {
  if (isExpired === undefined) return run
  return async (connection, items) => {
    const isLive = items.map((item) => !isExpired(item))
    const live = items.filter((_, place) => isLive[place])
    const outcomes = (live.length > 0 ? await run(connection, live) : [])[Symbol.iterator]()
    return isLive.map((is): Outcome<Result> => (is ? (outcomes.next().value ?? undecided()) : expired()))
  }
}

/** A protocol over one database. */
type Batch<Item, Row extends pg.QueryResultRow, Result> = {
  send(connection: BatchConnection, items: readonly Item[]): Promise<Sent<Row>>
  outcomeOf(row: Row | undefined, place: number, item: Item): Outcome<Result>
  /** Which items of a batch with a lost answer are durable, or why that cannot be read. */
  resolveLost(
    connection: BatchConnection,
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
    send: async (connection, items) => {
      let values: readonly unknown[]
      try {
        values = encode(items)
      } catch (error) {
        return { type: 'rolled_back', error } // Sent singly, only the item at fault fails.
      }
      return send<Row>(connection, statement, values)
    },
    outcomeOf: (row, place, item) => {
      const result = row && resultOf(row, place, item)
      return result === undefined ? undecided() : { result }
    },
    resolveLost: async (connection, items, cause) => {
      try {
        await endSession(database, connection)
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
  connection: BatchConnection,
  item: Item,
  tries = triesMax,
): Promise<Outcome<Result>> {
  if (batch.isExpired(item)) return expired()
  const sent = await batch.send(connection, [item])
  if (sent.type === 'answered') return batch.outcomeOf(sent.row, 0, item)
  if (sent.type === 'unsent') return { error: sent.error }
  if (sent.type === 'lost') {
    const durable = await batch.resolveLost(connection, [item], sent.error)
    if (durable instanceof Error) return { error: durable }
    const result = durable.get(item)
    if (result !== undefined) return { result }
  } else if (!isTransient(sent.error)) return { error: storeError(sent.error) }
  return tries > 1 ? single(batch, connection, item, tries - 1) : { error: unavailable(sent.error) }
}

async function singly<Item, Row extends pg.QueryResultRow, Result>(
  batch: Batch<Item, Row, Result>,
  connection: BatchConnection,
  items: readonly Item[],
  durable: ReadonlyMap<Item, Result> = new Map(),
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = []
  let outage: Outcome<Result> | undefined
  for (const item of items) {
    const result = durable.get(item)
    const outcome = result === undefined ? (outage ?? (await single(batch, connection, item))) : { result }
    outcomes.push(outcome)
    // The first item that times out fails the rest, as each of them would wait for its own time-out.
    if (isOutage(outcome)) outage = outcome
  }
  return outcomes
}

function runner<Item, Row extends pg.QueryResultRow, Result>(
  database: Database,
  protocol: BatchProtocol<Item, Row, Result>,
): Run<Item, Result> {
  const batch = batchOf(database, protocol)
  return async (connection, items) => {
    const sent = await batch.send(connection, items)
    switch (sent.type) {
      case 'answered':
        return items.map((item, place) => batch.outcomeOf(sent.row, place, item))
      case 'unsent':
        return items.map(() => ({ error: sent.error }))
      case 'rolled_back':
        return singly(batch, connection, items)
      case 'lost': {
        const durable = await batch.resolveLost(connection, items, sent.error)
        if (durable instanceof Error) return items.map(() => ({ error: durable }))
        return singly(batch, connection, items, durable)
      }
    }
  }
}

const isOutage = <Result>(outcome: Outcome<Result>): boolean =>
  'error' in outcome && outcome.error instanceof Unavailable && isLost(outcome.error.cause)
