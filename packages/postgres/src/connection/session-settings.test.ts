import { Unavailable, usdt } from '@quipu/core'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createProcessRole } from '../migration/process-role.ts'
import { ensurePartitions, migrate } from '../migration/migrate.ts'
import { refuseUnfitDatabase } from '../readiness/fit-database.ts'
import { type PostgresStores, postgresStores } from '../stores.ts'
import { openPooler, type PoolerOptions } from '../test/pooler.fixture.ts'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'
import { askedSettings, clientConfig } from './connection.ts'
import { UnfitSession } from './session.ts'

let harness: StoreHarness
const role = `pooled_${process.pid}`
beforeAll(async () => {
  harness = await openStoreHarness()
  await harness.sql(`create role ${role} login in role quipu_process`)
})
afterAll(() => harness.close())
beforeEach(() => harness.sql(`alter role ${role} in database ${database()} reset all`))

const database = (): string => new URL(harness.stores.url).pathname.slice(1)
const started = ['options', 'statement_timeout', 'idle_in_transaction_session_timeout']

/** The role's URL through a pooler. */
async function throughPooler(options: PoolerOptions): Promise<string> {
  const url = new URL(harness.stores.url)
  url.username = role
  const pooler = await openPooler(url.href, options)
  onTestFinished(() => pooler[Symbol.asyncDispose]())
  return pooler.url
}

/** Concurrent transactions, after which a pooler that shares sessions has as many idle ones. */
async function openSessions(url: string, count: number): Promise<void> {
  const clients = Array.from({ length: count }, () => new pg.Client(url))
  for (const client of clients) await client.connect()
  for (const statement of ['begin', 'commit']) await Promise.all(clients.map((client) => client.query(statement)))
  for (const client of clients) await client.end()
}

function storesAt(url: string, connectTimeoutMs = 60_000): PostgresStores {
  const stores = postgresStores({ url, connectTimeoutMs })
  onTestFinished(() => stores.close())
  return stores
}

const inProduction = (url: string) =>
  refuseUnfitDatabase({ url, isProduction: true }, () => {
    throw new Error('the database has answered')
  })

/** Each setting, the value that a session needs, and another one that a role or a server can have. */
const settings: readonly (readonly [string, string, string])[] = [
  ['synchronous_commit', 'on', 'off'],
  ['client_min_messages', 'notice', 'error'],
  ['default_transaction_isolation', 'read committed', 'repeatable read'],
  ['search_path', 'pg_catalog,pg_temp', 'public'],
  ['datestyle', 'ISO,MDY', 'German, DMY'],
  ['plan_cache_mode', 'force_generic_plan', 'auto'],
  ['enable_seqscan', 'off', 'on'],
  ['enable_bitmapscan', 'off', 'on'],
  ['enable_hashjoin', 'off', 'on'],
  ['enable_mergejoin', 'off', 'on'],
  ['max_parallel_workers_per_gather', '0', '2'],
  ['jit', 'off', 'on'],
  ['statement_timeout', '10000', '0'],
  ['idle_in_transaction_session_timeout', '2000', '0'],
]

test('a session asks for these settings', () => {
  expect(askedSettings(clientConfig({ url: '' }))).toEqual(
    Object.fromEntries(settings.map(([name, value]) => [name, value])),
  )
})

test('a session overrides settings of its role, and is refused when it cannot; the error names the setting', async () => {
  const url = await throughPooler({ mode: 'session', drops: started, size: 20 })
  const direct = new URL(harness.stores.url)
  direct.username = role
  await createProcessRole(harness.stores.url, { name: role, password: '' })
  await storesAt(url).ping()
  for (const [name, value, other] of settings) {
    const set = `alter role ${role} in database ${database()} set ${name} =`
    await harness.sql(`${set} '${other}'`)
    await storesAt(direct.href).ping()
    const refusal = await storesAt(url)
      .ping()
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Unavailable)
    expect(String(refusal)).toContain(`not fit for payments: ${name} is ${other}, not ${value}. A pooler drops`)
    await harness.sql(`${set} ${name === 'search_path' ? value : `'${value}'`}`)
  }
})

test('nothing is accepted in a session that lacks its settings', async () => {
  const stores = storesAt(await throughPooler({ mode: 'session', drops: ['options'], size: 20 }))
  const accept = harness.acceptCommit(await harness.newQuote(await harness.newWallet(usdt(100n))))
  await expect(stores.payouts.commit(accept)).rejects.toThrow('search_path')
  await expect(stores.payouts.get(accept.step.payout.tenantId, accept.step.payout.id)).rejects.toThrow(Unavailable)
})

test('a process ends at its start when a pooler drops its settings, and runs when the role has them', async () => {
  const url = await throughPooler({ mode: 'session', drops: started, size: 20 })
  await expect(inProduction(url)).rejects.toThrow(UnfitSession)
  await createProcessRole(harness.stores.url, { name: role, password: '' })
  await inProduction(url)
  await ensurePartitions(url)
})

test('a migration sets the settings of the processes’ roles', async () => {
  const url = await throughPooler({ mode: 'session', drops: started, size: 20 })
  await expect(inProduction(url)).rejects.toThrow(UnfitSession)
  await migrate(harness.stores.url)
  await expect(inProduction(url)).resolves.toBeDefined()
})

test('a pooler that shares sessions is refused at the start, and a read through it is never confirmed', async () => {
  const url = await throughPooler({ mode: 'transaction', drops: started })
  await createProcessRole(harness.stores.url, { name: role, password: '' })
  await expect(inProduction(url)).rejects.toThrow(UnfitSession)
  await expect(inProduction(url)).rejects.toThrow('Set its pool_mode to `session`')
  const tenantId = await harness.newWallet(usdt(100n))
  await openSessions(url, 3) // With two, each confirmation would run in the session that was checked.
  await expect(storesAt(url).wallets.find(tenantId)).rejects.toThrow('in the sessions of others')
})

test('a pooler that refuses the parameters of the start is a refusal, and no outage', async () => {
  const url = await throughPooler({ mode: 'session', refuses: 'statement_timeout' })
  await expect(inProduction(url)).rejects.toThrow(UnfitSession)
  await expect(inProduction(url)).rejects.toThrow('ignore_startup_parameters')
})

test('a migration refuses a pooler, which would keep its lock', async () => {
  const pooler = await openPooler(harness.stores.url, { mode: 'session' })
  await expect(migrate(pooler.url)).rejects.toThrow(UnfitSession)
  await pooler[Symbol.asyncDispose]()
})

test('a migration that waits for another one says for which session', async () => {
  const other = new pg.Client({ connectionString: harness.stores.url, application_name: 'left behind' })
  await other.connect()
  await other.query(`select pg_advisory_lock(hashtextextended('quipu.migrate', 0))`)
  const { promise: waits, resolve } = Promise.withResolvers<string>()
  const migrated = migrate(harness.stores.url, { notify: resolve })
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
  expect(await waits).toMatch(
    new RegExp(`^waiting for the lock of migrations, which session ${rows[0]?.pid} \\(role postgres, left behind`),
  )
  await other.end()
  await migrated
})

test('a pooler with fewer sessions than a process needs is not ready, though its pool has one', async () => {
  await createProcessRole(harness.stores.url, { name: role, password: '' })
  for (const size of [1, 2]) {
    const url = await throughPooler({ mode: 'session', drops: started, size })
    const stores = storesAt(url, 300)
    await expect(stores.ping()).rejects.toThrow(Unavailable)
  }
  await storesAt(await throughPooler({ mode: 'session', drops: started, size: 3 })).ping()
})
