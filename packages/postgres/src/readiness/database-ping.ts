import { Unavailable } from '@quipu/core'
import pg from 'pg'
import { type Database, statement } from '../connection/database.ts'
import type { PaymentGate } from '@quipu/core/operator'
import { migrationNames } from '../migration/migrate.ts'
import { processRights } from './process-rights.ts'
import { type LogMemory, logMemory } from '../restore/log-memory.ts'

/** The database lacks migrations of this release. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated'
}

/** Writes one record to the write-ahead log. Its commit waits for the disk and the synchronous standbys. */
const durableWrite = statement('ping.durable_write')`
  select pg_logical_emit_message(true, 'quipu', 'ping')::text as position, quipu.store_now($1) as now,
    current_setting('transaction_read_only') as is_read_only`

const seenMigrations = statement('ping.migrations')`select name from quipu.migration`

/** The state of the database when it answered. */
export type Pinged = {
  /** The database's time when it answered, in whole milliseconds. */
  readonly now: Date
  /** When the write was sent, by `performance.now()`; `answeredAt` by the same clock. */
  readonly sentAt: number
  readonly answeredAt: number
  /** Whether payments begin. */
  readonly gate: PaymentGate
}

export type PingParts = {
  readonly memory: LogMemory
  /** Fails when a connection of the stores beside the pool has no session. */
  readonly probe: () => Promise<void>
}

/**
 * Checks the migrations until all have been found once, as they are never undone; compares what this process has
 * written with the database; then makes a durable write. Concurrent calls share one write, as each of their own would
 * hold a connection until its time-out while a standby does not answer.
 */
export function databasePing(
  database: Database,
  { memory, probe }: PingParts = { memory: logMemory(), probe: async () => {} },
): () => Promise<Pinged> {
  const requireRights = processRights(database)
  let isMigrated = false
  let underWay: Promise<Pinged> | undefined
  const ping = async (): Promise<Pinged> => {
    if (!isMigrated) await requireMigrations(database)
    isMigrated = true
    await requireRights()
    const gate = await memory.observe((statement, values) => database.query(statement, values))
    await probe()
    const sentAt = performance.now()
    const [row] = await database.query<WriteRow>(durableWrite, [database.clockOverride()])
    const answeredAt = performance.now()
    if (row === undefined) throw new Error('the durable write returned no row')
    if (row.is_read_only === 'on') throw new Unavailable('store', 'the database is set read-only: it accepts no writes')
    memory.written(row.position)
    return { now: row.now, sentAt, answeredAt, gate }
  }
  return () =>
    (underWay ??= ping().finally(() => {
      underWay = undefined
    }))
}

type WriteRow = { readonly position: string; readonly now: Date; readonly is_read_only: 'on' | 'off' }

async function requireMigrations(database: Database): Promise<void> {
  const seen = new Set(await seenIn(database))
  const missing = (await migrationNames()).filter((name) => !seen.has(name))
  if (missing.length > 0) throw new NotMigrated(`the database lacks ${missing.join(', ')}: run the migration first`)
}

async function seenIn(database: Database): Promise<readonly string[]> {
  try {
    const rows = await database.query<{ name: string }>(seenMigrations, [])
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isNew(error)) return []
    throw error
  }
}

/** The schema or table does not exist, as in a database that was never migrated. */
const isNew = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['3F000', '42P01'].includes(error.code ?? '')
