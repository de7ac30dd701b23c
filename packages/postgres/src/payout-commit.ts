import { randomUUID } from 'node:crypto'
import type { Commit, Committed } from '@quipu/core'
import type pg from 'pg'
import { type Connection, reconnecting } from './connection.ts'
import { explained, isRolledBack, isTransient, unavailable } from './database-error.ts'
import type { Database, Statement } from './database.ts'
import { naturalBatches, type Outcome } from './natural-batches.ts'
import { batchOf, type Item, itemOf } from './payout-items.ts'
import { endSession, wasCommitted } from './payout-read-back.ts'

/** A connection for batches, under a name by which its session can be found and ended. */
type Lane = { readonly name: string; readonly connection: Connection }

export type LaneCounts = {
  /** Connections for new payouts. Default 2. */
  readonly opening?: number
  /** Connections for ending payouts. Default 2. */
  readonly settling?: number
}

export type PayoutCommits = {
  commit(write: Commit): Promise<Committed>
  close(): Promise<void>
}

const batchSizeMax = 128

const openPayouts: Statement = {
  name: 'open_payouts',
  text: 'select quipu.open_payouts($1, $2, $3) as verdicts',
}
const settlePayouts: Statement = {
  name: 'settle_payouts',
  text: 'select quipu.settle_payouts($1, $2, $3) as verdicts',
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
  const lanes = (count: number): Lane[] => Array.from({ length: count }, () => openLane(config))
  const openLanes = lanes(opening)
  const settleLanes = lanes(settling)
  const opens = naturalBatches(openLanes, batchSizeMax, runner(database, openPayouts))
  const settles = naturalBatches(settleLanes, batchSizeMax, runner(database, settlePayouts))
  return {
    commit: async (write) => (write.kind === 'settle' ? settles : opens).add(itemOf(write)),
    close: async () => {
      await Promise.all([opens.idle(), settles.idle()])
      await Promise.all([...openLanes, ...settleLanes].map(({ connection }) => connection.close()))
    },
  }
}

function openLane(config: pg.ClientConfig): Lane {
  const name = `quipu-lane-${randomUUID()}`
  return { name, connection: reconnecting({ ...config, application_name: name }) }
}

type Run = (lane: Lane, items: readonly Item[]) => Promise<Outcome<Committed>[]>

/**
 * Runs a batch, and finds out how every item of it ended whatever happens.
 *
 * Rolled back: its items go singly, so that the one at fault fails alone. Lost on the way: the
 * lane's session is ended, so that nothing of it can still be committed; what was is read back, and
 * what was not goes singly.
 */
function runner(database: Database, statement: Statement): Run {
  const singly = async (lane: Lane, items: readonly Item[]): Promise<Outcome<Committed>[]> => {
    const outcomes: Outcome<Committed>[] = []
    for (const item of items) outcomes.push(await single(lane, item))
    return outcomes
  }

  const single = async (lane: Lane, item: Item, tries = 3): Promise<Outcome<Committed>> => {
    const sent = await send(database, statement, lane, [item])
    if (sent.type === 'answered') return outcomeOf(sent.verdicts[0])
    if (sent.type === 'unsent') return { error: sent.error }
    if (sent.type === 'lost') {
      const committed = await readBack(lane, [item], sent.error)
      if (committed instanceof Error) return { error: committed }
      if (committed.has(item)) return { result: 'committed' }
    } else if (!isTransient(sent.error)) return { error: explained(sent.error) }
    return tries > 1 ? single(lane, item, tries - 1) : { error: unavailable(sent.error) }
  }

  const readBack = async (
    lane: Lane,
    items: readonly Item[],
    cause: unknown,
  ): Promise<ReadonlySet<Item> | Error> => {
    try {
      await endSession(database, lane.name)
      return await wasCommitted(database, items)
    } catch {
      return unavailable(cause)
    }
  }

  return async (lane, items) => {
    const sent = await send(database, statement, lane, items)
    switch (sent.type) {
      case 'answered':
        return items.map((_, place) => outcomeOf(sent.verdicts[place]))
      case 'unsent':
        return items.map(() => ({ error: sent.error }))
      case 'rolled_back':
        return singly(lane, items)
      case 'lost': {
        const committed = await readBack(lane, items, sent.error)
        if (committed instanceof Error) return items.map(() => ({ error: committed }))
        const outcomes: Outcome<Committed>[] = []
        for (const item of items)
          outcomes.push(committed.has(item) ? { result: 'committed' } : await single(lane, item))
        return outcomes
      }
    }
  }
}

const outcomeOf = (verdict: Committed | undefined): Outcome<Committed> =>
  verdict === undefined
    ? { error: new Error('the database left an item of a batch undecided') }
    : { result: verdict }

type Sent =
  | { readonly type: 'answered'; readonly verdicts: readonly Committed[] }
  /** Nothing reached the database. */
  | { readonly type: 'unsent'; readonly error: unknown }
  | { readonly type: 'rolled_back'; readonly error: unknown }
  /** It may or may not have been committed, or still be on its way. */
  | { readonly type: 'lost'; readonly error: unknown }

async function send(
  database: Database,
  statement: Statement,
  { connection }: Lane,
  items: readonly Item[],
): Promise<Sent> {
  let client: pg.Client
  try {
    client = await connection.client()
  } catch (error) {
    return { type: 'unsent', error }
  }
  try {
    const values = [...batchOf(items), database.now()]
    const { rows } = await client.query<{ verdicts: Committed[] }>({ ...statement, values })
    return { type: 'answered', verdicts: rows[0]?.verdicts ?? [] }
  } catch (error) {
    if (isRolledBack(error)) return { type: 'rolled_back', error }
    connection.drop(client)
    return { type: 'lost', error }
  }
}
