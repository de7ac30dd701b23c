import { systemIds } from '@quipu/core/system'
import type pg from 'pg'
import { makeAuditedTenants } from './audited-tenants.ts'
import { type BenchTenant, source, target } from './tenants-and-quotes.ts'

const perStatement = 50_000
const walletsPerStatement = 20_000
/** Exactly half of a history is that of its first tenant. */
const tenantCount = 200
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** One tenant in ten has a webhook endpoint. */
const endpointEvery = 10

/** The payouts of a history, and how far apart they are. */
export type History = {
  /** Half of the payouts are the first one's. */
  readonly tenants: readonly BenchTenant[]
  /** Wallets without payouts. */
  readonly wallets: readonly BenchTenant[]
  readonly stepMs: number
  /** After the last payout. */
  readonly end: Date
}

/**
 * Inserts completed payouts with their quotes, holds and captures, as if they had been made one by one in the
 * months before: rows are in the order of time, as the index of events' ids takes for granted. Half of them are the
 * first tenant's.
 *
 * A commit does not wait for its flush, as the rows would not differ.
 */
export async function makeHistory(
  db: pg.Client,
  { payouts: count, wallets: walletCount }: { readonly payouts: number; readonly wallets: number },
  say: (line: string) => void,
): Promise<History> {
  const start = performance.now()
  const seconds = (): string => `${Math.round((performance.now() - start) / 1_000)} s`
  await db.query('set synchronous_commit = off')
  const createdAt = new Date(Date.now() - 91 * dayMs)
  const tenants = await makeAuditedTenants(db, tenantCount, createdAt)
  const ids = tenants.map(({ id }) => id)
  const end = Date.now() - minuteMs
  const stepMs = Math.max(1, Math.floor((90 * dayMs) / count))
  for (let made = 0; made < count; made += perStatement) {
    const size = Math.min(perStatement, count - made)
    const instants = Array.from({ length: size }, (_, n) => new Date(end - (count - made - n) * stepMs))
    await insertPayouts(db, ids, instants)
    if (made % 500_000 === 0) say(`${made} of ${count} payouts inserted, after ${seconds()} …`)
  }
  const wallets = await makeWallets(db, walletCount, createdAt)
  say(`${wallets.length} wallets inserted, after ${seconds()} …`)
  await db.query('reset synchronous_commit')
  return { tenants, wallets, stepMs, end: new Date(end) }
}

async function makeWallets(db: pg.Client, count: number, createdAt: Date): Promise<readonly BenchTenant[]> {
  const wallets: BenchTenant[] = []
  for (let made = 0; made < count; made += walletsPerStatement) {
    const size = Math.min(walletsPerStatement, count - made)
    const some = await makeAuditedTenants(db, size, createdAt)
    const owners = some.filter((_, n) => n % endpointEvery === 0).map(({ id }) => id)
    const endpoints = owners.map(() => systemIds.next('we', createdAt))
    await db.query(
      `select quipu.register_endpoint(tenant_id, id, 'http://127.0.0.1:9/', null, null, 'active', 0, null, '[]',
         $3, $3, 16)
       from unnest($1::text[], $2::text[]) e (tenant_id, id)`,
      [owners, endpoints, createdAt],
    )
    wallets.push(...some)
  }
  return wallets
}

async function insertPayouts(db: pg.Client, tenantIds: readonly string[], instants: readonly Date[]): Promise<void> {
  const payoutIds = instants.map((at) => systemIds.next('po', at))
  await db.query(
    `with dealt as materialized (
       select t.tenant_id, i.payout_id, i.at, quipu.uuid_at(uuidv7(), i.at) as id,
         row_number() over (partition by t.tenant_id order by i.at, i.place) as n
       from unnest($1::text[], $2::timestamptz[]) with ordinality i (payout_id, at, place)
       cross join lateral (
         select ($3::text[])[case when i.place % 2 = 0 then 1 else 2 + i.place / 2 % ($4 - 1) end] as tenant_id
       ) t
     ), item as materialized (
       select d.*, w.seq + d.n as seq, w.available - d.n * $5::bigint as available_after
       from dealt d join quipu.wallet w on w.tenant_id = d.tenant_id
     ), wallets as (
       update quipu.wallet w
       set available = w.available - i.count * $5::bigint, seq = w.seq + i.count, logged_at = i.at, updated_at = i.at
       from (select tenant_id, count(*) as count, max(at) as at from item group by tenant_id) i
       where w.tenant_id = i.tenant_id
     ), quotes as (
       insert into quipu.quote (tenant_id, id, rate, target, principal, fee, source, bid, rate_source, created_at,
         expires_at)
       select tenant_id, id, 98007, $6, $5, 0, $5, 99500, 'fixed', at, at + interval '1 minute' from item order by id
     ), payouts as (
       insert into quipu.payout (target, created_at, hold, available_after, held_after, accepted_at, leased_until,
         quote_id, tenant_id, id, transaction_id, fingerprint, details)
       select $6, at, $5, available_after, $5, at, at, id, tenant_id, payout_id, id::text, 'bench',
         '{"qr":{"amount_mode":"closed","merchant":{"name":"Bench","bank_code":"1001"}}}'
       from item order by item.id
     )
     insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, event_id, fencing_token,
       tenant_id, payout_id, status, network_payment_id, body)
     select seq, at, $5, available_after, 0, id, 1, tenant_id, payout_id, 'completed', payout_id, b.body
     from item cross join (select body from quipu.payout_end where status = 'completed' limit 1) b
     order by id`,
    [payoutIds, instants, tenantIds, tenantIds.length, source.minor.toString(), target.minor.toString()],
  )
}
