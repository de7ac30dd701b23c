import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Builders, builders } from '@quipu/contracts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { onTestFinished } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { type PostgresStores, postgresStores } from '../stores.ts'
import { asRole } from '../test/as-role.fixture.ts'
import { beginPayments, migratedCluster } from '../test/stores.fixture.ts'
import type { SplitOptions } from './split-cell.ts'

/** Waits for no worker. */
export const quickly: SplitOptions = { drainSeconds: 0 }

/** The stores of one cell, with builders of test data. */
export type Side = PostgresStores & Builders & { readonly stores: PostgresStores; advance(): Promise<void> }

export type Cell = {
  readonly pair: ReplicatedPostgres
  readonly from: string
  readonly to: string
  readonly g: Side
  /** Opens the stores of a server. */
  open(url: string): Side
}

/** Cell g with its standby. */
export async function openCell(synchronous = false): Promise<Cell> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-split-'))
  const pair = await startReplicatedPostgres({ dataDir, synchronous, template: await migratedCluster() })
  onTestFinished(() => pair.stop())
  const [from, to] = [pair.primary.urlFor('quipu'), pair.standby.urlFor('quipu')]
  await beginPayments(from)
  await migrate(from, { cell: 'g' })
  const opened: { close(): Promise<void> }[] = []
  const open = (url: string): Side => {
    const stores = postgresStores({ url })
    opened.push(stores)
    return { stores, ...stores, ...builders(stores, (size) => randomBytes(size)), advance: () => Promise.resolve() }
  }
  onTestFinished(async () => {
    await Promise.all(opened.map((each) => each.close()))
  })
  return { pair, from, to, open, g: open(from) }
}

/** Runs a statement as a superuser. */
export const sql = (url: string, text: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
  asRole(url, (run) => run(text, values))
