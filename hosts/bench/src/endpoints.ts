import { secretContext } from '@quipu/core'
import { aesSecretBox, systemIds, systemRandom } from '@quipu/runtime'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import type { BenchTenant } from './fixtures.ts'
import { completedPayout } from './payouts.ts'

export const secretKey = '5e'.repeat(32)

export type BenchEndpoint = { readonly tenant: BenchTenant; readonly url: string }

/** Registers endpoints, each with a secret of its own. */
export async function makeEndpoints(
  db: pg.Client,
  endpoints: readonly BenchEndpoint[],
): Promise<void> {
  const box = aesSecretBox(Uint8Array.from(Buffer.from(secretKey, 'hex')), systemRandom)
  const created_at = new Date()
  const rows = endpoints.map(({ tenant, url }) => {
    const id = systemIds.next('we', created_at)
    const secret = {
      sealed: box.seal(`whsec_${id}`, secretContext(id, null)),
      created_at,
      expires_at: null,
    }
    return { id, tenant_id: tenant.id, url, secrets: [secret] }
  })
  await db.query(
    `insert into quipu.webhook_endpoint (id, tenant_id, url, secrets, created_at, updated_at)
     select id, tenant_id, url, secrets, now(), now()
     from jsonb_to_recordset($1) e (id text, tenant_id text, url text, secrets jsonb)`,
    [JSON.stringify(rows)],
  )
}

export async function removeEndpoints(db: pg.Client): Promise<void> {
  await db.query('delete from quipu.delivery_open')
  await db.query('delete from quipu.webhook_endpoint')
}

/** Lets so many payouts of each of these tenants be completed: only their events, one write a call. */
export async function makeEvents(
  db: pg.Client,
  tenants: readonly BenchTenant[],
  perTenant: number,
): Promise<readonly { readonly id: string; readonly tenantId: string; readonly at: number }[]> {
  const events = tenants.flatMap(({ id: tenantId }) =>
    Array.from({ length: perTenant }, () => {
      const event = completedPayout(systemIds.uuid(new Date()))
      return { ...event, tenantId, body: encodeEvent({ ...event, tenantId }).body }
    }),
  )
  const at = performance.timeOrigin + performance.now()
  await db.query(
    `insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
     select tenant_id, id, 'payout.completed', subject, body, at, at
     from unnest($1::text[], $2::uuid[], $3::text[], $4::bytea[], $5::timestamptz[])
       e (tenant_id, id, subject, body, at)`,
    [
      events.map(({ tenantId }) => tenantId),
      events.map(({ id }) => id),
      events.map(({ data }) => data.id),
      events.map(({ body }) => body),
      events.map(({ recordedAt }) => recordedAt),
    ],
  )
  return events.map(({ id, tenantId }) => ({ id, tenantId, at }))
}
