import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { usdt } from '@quipu/core'
import { type AcceptCommit, type Builders, builders } from '@quipu/contracts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { expect, onTestFinished } from 'vitest'
import { asRole } from './as-role.fixture.ts'
import { beginPayments, migratedCluster } from './stores.fixture.ts'
import { type PostgresOptions, type PostgresStores, postgresStores } from '../stores.ts'

/** Short time-outs, so that a test sees several calls time out. */
const impatient = { statementTimeoutMs: 1_000, connectTimeoutMs: 1_000 }

export type PairOptions = Omit<PostgresOptions, 'url'> & { readonly synchronous?: boolean }

/** A primary, its standby, and stores over the address. */
export type Pair = Builders & { readonly pair: ReplicatedPostgres; readonly stores: PostgresStores }

/** A primary with a synchronous standby, stores over the primary, and builders of test data. */
export async function startPair({ synchronous = true, ...options }: PairOptions = {}): Promise<Pair> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-standby-'))
  const pair = await startReplicatedPostgres({ dataDir, synchronous, template: await migratedCluster() })
  await beginPayments(pair.primary.urlFor('quipu'))
  const stores = postgresStores({ url: pair.address.urlFor('quipu'), ...impatient, ...options })
  onTestFinished(async () => {
    pair.replication.resume()
    await stores.close()
    await pair.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
  })
  return { pair, stores, ...builders(stores) }
}

/** Runs any statement on the primary as a superuser. */
export const sql = (pair: ReplicatedPostgres, text: string): Promise<Record<string, unknown>[]> =>
  asRole(pair.primary.urlFor('quipu'), (run) => run(text))

/** Changes `synchronous_standby_names`, and waits until a new session sees it. */
export async function nameStandbys(pair: ReplicatedPostgres, names: string): Promise<void> {
  await sql(pair, `alter system set synchronous_standby_names = '${names}'`)
  await sql(pair, 'select pg_reload_conf()')
  const seen = `select current_setting('synchronous_standby_names') as names`
  await expect.poll(() => sql(pair, seen)).toEqual([{ names }])
}

/** The sessions that wait for the standby. */
export const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep'`

export const untilWaiting = (pair: ReplicatedPostgres, sessions = 1): Promise<unknown> =>
  expect.poll(() => sql(pair, waiting)).toHaveLength(sessions)

/** Stores, and the commit that accepts a payout. */
export type Accepting = Pair & {
  readonly tenantId: string
  readonly write: AcceptCommit
  readonly payout: AcceptCommit['step']['payout']
}

export async function startAccepting(options: PairOptions = {}): Promise<Accepting> {
  const started = await startPair(options)
  const tenantId = await started.newWallet(usdt(10n))
  const write = started.acceptCommit(await started.newQuote(tenantId, { source: usdt(4n) }))
  return { ...started, tenantId, write, payout: write.step.payout }
}
