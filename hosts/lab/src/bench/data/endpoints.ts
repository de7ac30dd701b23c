import { secretContext } from '@quipu/core/adapter'
import { aesSecretBox } from '@quipu/runtime'
import { systemIds, systemRandom } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import type { BenchTenant } from './tenants-and-quotes.ts'
import { completedPayout } from './payouts.ts'

export const secretKey = '5e'.repeat(32)

export type BenchEndpoint = { readonly tenant: BenchTenant; readonly url: string }

/** Registers endpoints, each with its own secret. */
export async function makeEndpoints(db: pg.Client, endpoints: readonly BenchEndpoint[]): Promise<void> {
  const box = aesSecretBox([{ id: '1', key: Uint8Array.from(Buffer.from(secretKey, 'hex')) }], systemRandom)
  const created_at = new Date()
  const rows = endpoints.map(({ tenant, url }) => {
    const id = systemIds.next('we', created_at)
    const secret = {
      ciphertext: box.encrypt(`whsec_${id}`, secretContext(id, null)),
      last_four: id.slice(-4),
      created_at,
      expires_at: null,
    }
    return { id, tenant_id: tenant.id, url, secrets: [secret] }
  })
  await db.query(
    `select quipu.register_endpoint(tenant_id, id, url, null, null, 'active', 0, null, secrets, now(), now(), 16)
     from jsonb_to_recordset($1) e (id text, tenant_id text, url text, secrets jsonb)
     order by tenant_id`,
    [JSON.stringify(rows)],
  )
}

export async function removeEndpoints(db: pg.Client): Promise<void> {
  await db.query('select quipu.remove_endpoint(tenant_id, id) from quipu.webhook_endpoint')
  await db.query('delete from quipu.delivery_open')
  await db.query('delete from quipu.delivery_signal')
}

/**
 * Inserts `perTenant` ended payouts for each of these tenants, with log entries and delivery signals but
 * without moving money, in one statement. The event's bytes are those of a stored completed payout, if there
 * is one. Eight payouts of a tenant end in the same millisecond, as they do in a batch.
 */
export async function makeEvents(
  db: pg.Client,
  tenants: readonly BenchTenant[],
  perTenant: number,
): Promise<readonly { readonly id: string; readonly tenantId: string; readonly at: number }[]> {
  const body = encodeEvent(completedPayout('bench'))
  const at = performance.timeOrigin + performance.now()
  const { rows } = await db.query<{ event_id: string; tenant_id: string }>(
    `with log as materialized (
       update quipu.wallet w set seq = w.seq + $2::int,
         logged_at = greatest(w.logged_at, date_trunc('milliseconds', clock_timestamp())) + span
       from (select ($2::int / 8) * interval '1 millisecond' as span) s
       where w.tenant_id = any ($1)
       returning w.tenant_id, w.seq - $2::int as seq, w.logged_at - span as logged_at
     ), signals as (
       insert into quipu.delivery_signal (tenant_ids)
       select array_agg(tenant_id) from log
       where exists (select from quipu.webhook_endpoint e where e.tenant_id = log.tenant_id)
       having count(*) > 0
     ), made as materialized (
       select l.tenant_id, l.seq + n as seq, m.at, quipu.uuid_at(uuidv7(), m.at) as id
       from log l cross join generate_series(1, $2::int) n
       cross join lateral (select l.logged_at + (n / 8) * interval '1 millisecond' as at) m
     ), payouts as (
       insert into quipu.payout (target, created_at, quote_id, tenant_id, id, transaction_id, fingerprint,
         details)
       select 1, at, id, tenant_id, 'po_' || id, id::text, 'bench', '{}' from made
     )
     insert into quipu.payout_end (seq, ended_at, event_id, tenant_id, payout_id, status, error_code,
       error_message, body)
     select seq, at, id, tenant_id, 'po_' || id, 'cancelled', 'QUOTE_EXPIRED', 'Bench', b.body
     from made cross join (
       select coalesce((select body from quipu.payout_end where status = 'completed' limit 1), $3)
     ) b (body)
     order by tenant_id, seq
     returning event_id, tenant_id`,
    [tenants.map(({ id }) => id), perTenant, body],
  )
  return rows.map(({ event_id: id, tenant_id: tenantId }) => ({ id, tenantId, at }))
}
