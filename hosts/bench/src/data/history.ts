import { systemIds } from '@quipu/system'
import type pg from 'pg'
import { type BenchTenant, makeTenants, source, target } from './tenants-and-quotes.ts'

const perStatement = 50_000
/** Half of a history is that of its first tenant. */
const tenantCount = 200
const minuteMs = 60_000

/**
 * Inserts completed payouts with their quotes, holds and captures, as if they had been made one by one in the
 * months before. Half of them are the first tenant's.
 *
 * @returns their tenants
 */
export async function makeHistory(
  db: pg.Client,
  count: number,
  say: (line: string) => void,
): Promise<readonly BenchTenant[]> {
  const tenants = await makeTenants(db, tenantCount)
  const ids = tenants.map(({ id }) => id)
  const end = Date.now() - minuteMs
  const stepMs = Math.max(1, Math.floor((90 * 24 * 60 * minuteMs) / count))
  for (let made = 0; made < count; made += perStatement) {
    const size = Math.min(perStatement, count - made)
    const instants = Array.from(
      { length: size },
      (_, n) => new Date(end - (count - made - n) * stepMs),
    )
    await insertPayouts(db, ids, instants)
    if (made % 500_000 === 0) say(`${made} of ${count} payouts inserted …`)
  }
  return tenants
}

async function insertPayouts(
  db: pg.Client,
  tenantIds: readonly string[],
  instants: readonly Date[],
): Promise<void> {
  const payoutIds = instants.map((at) => systemIds.next('po', at))
  await db.query(
    `with dealt as materialized (
       select t.tenant_id, i.payout_id, i.at, quipu.uuid_at(uuidv7(), i.at) as id,
         row_number() over (partition by t.tenant_id order by i.at, i.place) as n
       from unnest($1::text[], $2::timestamptz[]) with ordinality i (payout_id, at, place)
       cross join lateral (
         select ($3::text[])[case when i.place % 2 = 0 then 1 else 1 + i.place / 2 % $4 end] as tenant_id
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
       select tenant_id, id, 98007, $6, $5, 0, $5, 99500, 'fixed', at, at + interval '1 minute' from item
     ), payouts as (
       insert into quipu.payout (target, created_at, hold, available_after, held_after, applied_at, leased_until,
         quote_id, tenant_id, id, transaction_id, fingerprint, details)
       select $6, at, $5, available_after, $5, at, at, id, tenant_id, payout_id, id::text, 'bench',
         '{"qr_mode":"closed","merchant_name":"Bench","bank_code":"1001"}'
       from item
     )
     insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, event_id, fencing_token,
       tenant_id, payout_id, status, network_payment_id, body)
     select seq, at, $5, available_after, 0, id, 1, tenant_id, payout_id, 'completed', payout_id, b.body
     from item cross join (select body from quipu.payout_end where status = 'completed' limit 1) b
     order by tenant_id, seq`,
    [
      payoutIds,
      instants,
      tenantIds,
      tenantIds.length,
      source.minor.toString(),
      target.minor.toString(),
    ],
  )
}
