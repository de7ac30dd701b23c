import type { EndpointPolicy, Reactivated, StoredEndpoint, WebhookStore } from '@quipu/core'
import type { Database, Query, Statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import {
  endpointColumns,
  endpointFromRow,
  type EndpointRow,
  secretsFromRows,
  secretsText,
  storedFromRow,
} from './webhook-row.ts'

/** Whoever registers an endpoint of a tenant's waits for the others who do. */
const lockTenant: Statement = {
  name: 'webhook.lock_tenant',
  text: 'select from quipu.tenant where id = $1 for no key update',
}

const insertEndpoint: Statement = {
  name: 'webhook.insert',
  text: `
    insert into quipu.webhook_endpoint (id, tenant_id, url, events, description, status, streak,
      paused_at, secrets, created_at, updated_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
    where (select count(*) from quipu.webhook_endpoint w where w.tenant_id = $2 and w.id <> $1) < $12
    on conflict (id) do update set id = excluded.id
    returning id`,
}

const getEndpoint: Statement = {
  name: 'webhook.get',
  text: `select ${endpointColumns} from quipu.webhook_endpoint w where w.id = $2 and w.tenant_id = $1`,
}

const listEndpoints: Statement = {
  name: 'webhook.list',
  text: `
    select ${endpointColumns} from quipu.webhook_endpoint w
    where w.tenant_id = $4 and (w.created_at, w.id) < ($1, $2)
    order by w.created_at desc, w.id desc limit $3`,
}

const countQueued: Statement = {
  name: 'webhook.queued',
  text: `
    select count(*)::int as queued
    from (select w.id from quipu.webhook_endpoint w where w.id = $2 and w.tenant_id = $1) own
    cross join lateral (
      select from quipu.delivery_open d where d.endpoint_id = own.id offset 0
    ) open`,
}

const updateEndpoint: Statement = {
  name: 'webhook.update',
  text: `
    update quipu.webhook_endpoint w
    set url = coalesce($4, w.url),
      events = case when $5 then $6::text[] else w.events end,
      description = case when $7 then $8 else w.description end,
      updated_at = $3
    where w.id = $2 and w.tenant_id = $1
    returning ${endpointColumns}`,
}

const removeEndpoint: Statement = {
  name: 'webhook.remove',
  text: 'select quipu.remove_endpoint($1, $2) as removed',
}

const lockSecrets: Statement = {
  name: 'webhook.lock_secrets',
  text: `
    select ${endpointColumns} from quipu.webhook_endpoint w
    where w.id = $2 and w.tenant_id = $1 for no key update`,
}

const replaceSecrets: Statement = {
  name: 'webhook.replace_secrets',
  text: 'update quipu.webhook_endpoint w set secrets = $2, updated_at = $3 where w.id = $1',
}

const reactivateEndpoint: Statement = {
  name: 'webhook.reactivate',
  text: 'select requeued, redelivered from quipu.reactivate_endpoint($1, $2, $3, $4, $5)',
}

export const webhookStatements: readonly Statement[] = [
  lockTenant,
  getEndpoint,
  listEndpoints,
  countQueued,
  updateEndpoint,
  lockSecrets,
  replaceSecrets,
]

/** Webhook endpoints in PostgreSQL. */
export const postgresWebhookStore = (database: Database): WebhookStore => ({
  insert: (stored, policy) => database.transaction((query) => insertWithin(query, stored, policy)),
  get: async (tenantId, id) => {
    const [row] = await database.read<EndpointRow>(getEndpoint, [tenantId, id])
    return row && storedFromRow(row)
  },
  list: async (tenantId, query) => {
    const rows = await database.read<EndpointRow>(listEndpoints, [...keysetOf(query), tenantId])
    return pageOf(rows.map(endpointFromRow), query.limit)
  },
  queued: async (tenantId, id) => {
    const [row] = await database.read<{ queued: number }>(countQueued, [tenantId, id])
    return row?.queued ?? 0
  },
  update: async (tenantId, id, { url, events, description }, at) => {
    const [row] = await database.query<EndpointRow>(updateEndpoint, [
      tenantId,
      id,
      at,
      url,
      events !== undefined,
      events,
      description !== undefined,
      description,
    ])
    return row && endpointFromRow(row)
  },
  remove: async (tenantId, id) => {
    const [row] = await database.query<{ removed: boolean }>(removeEndpoint, [tenantId, id])
    return row?.removed ?? false
  },
  rotate: (tenantId, id, at, rotate) =>
    database.transaction(async (query) => {
      const [row] = await query<EndpointRow>(lockSecrets, [tenantId, id])
      if (!row) return 'not_found'
      const secrets = rotate(secretsFromRows(row.secrets))
      if (!secrets) return 'refused'
      await query(replaceSecrets, [id, secretsText(secrets), at])
      return 'committed'
    }),
  reactivate: (tenantId, id, { redeliverSeconds }, at) =>
    database.transaction(async (query) => {
      const values = [tenantId, id, redeliverSeconds, at, database.now()]
      const [counts] = await query<Counts>(reactivateEndpoint, values)
      // Of what a function has changed only the next statement sees how it is now.
      const [row] = await query<EndpointRow>(getEndpoint, [tenantId, id])
      return row && counts && { endpoint: endpointFromRow(row), ...counts }
    }),
})

type Counts = Omit<Reactivated, 'endpoint'>

async function insertWithin(
  query: Query,
  { endpoint, secrets }: StoredEndpoint,
  { endpointsPerTenant }: EndpointPolicy,
): Promise<'committed' | 'limit_reached'> {
  await query(lockTenant, [endpoint.tenantId])
  const rows = await query(insertEndpoint, [
    endpoint.id,
    endpoint.tenantId,
    endpoint.url,
    endpoint.events,
    endpoint.description,
    endpoint.status,
    endpoint.consecutiveExhausted,
    endpoint.pausedAt,
    secretsText(secrets),
    endpoint.createdAt,
    endpoint.updatedAt,
    endpointsPerTenant,
  ])
  return rows.length === 0 ? 'limit_reached' : 'committed'
}
