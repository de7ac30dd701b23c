import type { EventStore, PagePosition } from '@quipu/core/adapter'
import { postgresStores } from '@quipu/postgres'
import pg from 'pg'
import { until } from './process.fixture.ts'

/** Direct access to the service's database. */
export type DatabaseProbe = {
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** The stored payout of an order. */
  find(order: { readonly transaction_id: string }): Promise<FoundPayout | undefined>
  /** Bytes of every event of all tenants, by id. */
  events(): Promise<ReadonlyMap<string, Uint8Array>>
  /** Locks all wallets against writes. @returns a function that unlocks them */
  lockWallets(): Promise<() => Promise<void>>
  /** Locks a table against writes. @returns a function that unlocks it */
  lockTable(name: string): Promise<() => Promise<void>>
  /** Locks what the recording of a difference locks. @returns a function that unlocks it */
  lockDifferences(): Promise<() => Promise<void>>
  /** Waits until any statement waits for a lock. */
  untilAnyBlocked(): Promise<void>
  /** Waits until this statement waits for a lock. */
  untilBlocked(
    statement:
      | 'accept_payouts'
      | 'check_ledger'
      | 'settle_payouts'
      | 'record_runs'
      | 'reactivate_endpoint'
      | 'resume_endpoint',
  ): Promise<void>
  stop(): Promise<void>
}

export type FoundPayout = {
  readonly id: string
  readonly status: string
  /** Number of claims by workers; null in the first lease and after the end. */
  readonly claim_count: number | null
}

const findPayout = `
  select p.id, coalesce(e.status, 'processing') as status, o.claim_count
  from quipu.payout p
  left join quipu.payout_end e on e.tenant_id = p.tenant_id and e.payout_id = p.id
  left join quipu.payout_open o on o.tenant_id = p.tenant_id and o.payout_id = p.id
  where transaction_id = $1`

const findBlocked = `
  select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'
    and query like '%' || $1 || '%' and pid <> pg_backend_pid()`

export function databaseProbe(url: string): DatabaseProbe {
  const pool = new pg.Pool({ connectionString: url, max: 3 })
  pool.on('error', () => undefined) // A test may stop the server.
  const query = async <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await pool.query<Row>(sql, [...values])).rows
  const stores = postgresStores({ url })
  const locks = new AsyncDisposableStack()
  const lock = async (statement: string): Promise<() => Promise<void>> => {
    const client = new pg.Client(url)
    locks.defer(() => client.end())
    await client.connect()
    await client.query('begin')
    await client.query(statement)
    return () => client.end()
  }
  return {
    query,
    events: async () => {
      const tenants = await query<{ id: string }>('select id from quipu.tenant')
      const events = await Promise.all(tenants.map(({ id }) => eventsOf(stores.events, id)))
      return new Map(events.flat())
    },
    find: async ({ transaction_id }) => (await query<FoundPayout>(findPayout, [transaction_id]))[0],
    lockWallets: () => lock('select from quipu.wallet for update'),
    lockTable: (name) => lock(`lock table quipu.${name} in share mode`),
    lockDifferences: () => lock('select quipu.lock_differences()'),
    untilAnyBlocked: async () => {
      await until('a write waits', async () => (await query(findBlocked, [''])).length > 0)
    },
    untilBlocked: async (statement) => {
      await until(`${statement} waits`, async () => (await query(findBlocked, [statement])).length > 0)
    },
    stop: async () => {
      await locks.disposeAsync()
      await Promise.all([stores.close(), pool.end()])
    },
  }
}

async function eventsOf(events: EventStore, tenantId: string): Promise<(readonly [string, Uint8Array])[]> {
  const found: (readonly [string, Uint8Array])[] = []
  let position: PagePosition | null = null
  do {
    const after: { after?: PagePosition } = position ? { after: position } : {}
    const { items, next } = await events.list(tenantId, { limit: 100, ...after })
    found.push(...items.map(({ id, body }) => [id, body] as const))
    position = next
  } while (position)
  return found
}
