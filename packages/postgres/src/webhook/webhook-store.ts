import type { EndpointPolicy } from '@quipu/core'
import type { StoredEndpoint, WebhookStore } from '@quipu/core/adapter'
import type { KeyUse } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import {
  endpointColumns,
  endpointFromRow,
  type EndpointRow,
  secretsFromRows,
  secretsText,
  storedFromRow,
} from './webhook-row.ts'

// Decided by migrations/0017-delivery-requests.sql.

const registerEndpoint = statement('register_endpoint')`
  select quipu.register_endpoint($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as registered`

const getEndpoint = statement('webhook.get')`
  select ${endpointColumns} from quipu.webhook_endpoint w where w.id = $2 and w.tenant_id = $1`

const listEndpoints = statement('webhook.list')`
  select ${endpointColumns} from quipu.webhook_endpoint w
  where w.tenant_id = $4 and (w.created_at, w.id) < ($1, $2)
  order by w.created_at desc, w.id desc limit $3`

const countQueued = statement('webhook.queued')`
  select quipu.count_queued(w.id)::int as queued
  from quipu.webhook_endpoint w where w.id = $2 and w.tenant_id = $1`

const changeEndpoint = statement('change_endpoint')`select quipu.change_endpoint($1, $2, $4, $5, $6, $7, $8, $3)`

const removeEndpoint = statement('remove_endpoint')`select quipu.remove_endpoint($1, $2) as removed`

const lockSecrets = statement('lock_secrets')`select quipu.lock_secrets($1, $2) as secrets`

const replaceSecrets = statement('replace_secrets')`select quipu.replace_secrets($1, $2, $3, $4)`

const pauseOwnEndpoint = statement('pause_own_endpoint')`select quipu.pause_own_endpoint($1, $2, $3)`

const reactivateEndpoint = statement('reactivate_endpoint')`
  select requeued::int, redelivered::int from quipu.reactivate_endpoint($1, $2, $3, $4, $5)`

const listByOtherKeys = statement('webhook.list_by_other_keys')`
  select w.id, w.tenant_id as "tenantId", w.secrets from quipu.webhook_endpoint w
  where w.id > $2 and exists (
    select from jsonb_array_elements(w.secrets) s where split_part(s->>'ciphertext', '.', 1) <> $1
  ) and (select true from quipu.moving_tenant m where m.tenant_id = w.tenant_id and m.left_at is not null limit 1) is null
  order by w.id limit $3`

const keyUse = statement('webhook.key_use')`
  select split_part(s->>'ciphertext', '.', 1) as "keyId", count(*)::int as count
  from quipu.webhook_endpoint w cross join jsonb_array_elements(w.secrets) s
  where (select true from quipu.moving_tenant m where m.tenant_id = w.tenant_id and m.left_at is not null limit 1) is null
  group by 1 order by 1`

// Decided by migrations/0032-key-renewal.sql.
const renewSecrets = statement('renew_secrets')`select quipu.renew_secrets($1, $2, $3, $4) as renewed`

/** Webhook endpoints in PostgreSQL. */
export const postgresWebhookStore = (database: Database): WebhookStore => ({
  insert: (stored, policy) => register(database, stored, policy),
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
  update: (tenantId, id, { url, events, description }, at) =>
    database.transaction(async (query) => {
      await query(changeEndpoint, [
        tenantId,
        id,
        at,
        url,
        events !== undefined,
        events,
        description !== undefined,
        description,
      ])
      const [row] = await query<EndpointRow>(getEndpoint, [tenantId, id])
      return row && endpointFromRow(row)
    }),
  remove: async (tenantId, id) => {
    const [row] = await database.query<{ removed: boolean }>(removeEndpoint, [tenantId, id])
    return row?.removed ?? false
  },
  rotate: (tenantId, id, at, rotate) =>
    database.transaction(async (query) => {
      type Locked = { readonly secrets: EndpointRow['secrets'] | null }
      const [row] = await query<Locked>(lockSecrets, [tenantId, id])
      if (!row?.secrets) return 'not_found'
      const secrets = rotate(secretsFromRows(row.secrets))
      if (!secrets) return 'refused'
      await query(replaceSecrets, [tenantId, id, secretsText(secrets), at])
      return 'committed'
    }),
  ...renewal(database),
  pause: (tenantId, id, at) =>
    database.transaction(async (query) => {
      await query(pauseOwnEndpoint, [tenantId, id, at])
      const [row] = await query<EndpointRow>(getEndpoint, [tenantId, id])
      return row && endpointFromRow(row)
    }),
  reactivate: (tenantId, id, { redeliverSeconds }, at) =>
    database.transaction(async (query) => {
      const values = [tenantId, id, redeliverSeconds, at, database.clockOverride()]
      const [counts] = await query<Counts>(reactivateEndpoint, values)
      // A statement does not see the changes of a function that it calls, so a second one reads the row.
      const [row] = await query<EndpointRow>(getEndpoint, [tenantId, id])
      if (!row || !counts) return undefined
      const { requeued, redelivered } = counts
      if (requeued === null || redelivered === null) return 'paused_by_operator'
      return { endpoint: endpointFromRow(row), requeued, redelivered }
    }),
})

/** The methods for the renewal of secrets after a key's rotation. */
const renewal = (database: Database): Pick<WebhookStore, 'listByOtherKeys' | 'renewSecrets' | 'keyUse'> => ({
  listByOtherKeys: async (keyId, after, limit) => {
    const rows = await database.query<SecretsRow>(listByOtherKeys, [keyId, after, limit])
    return rows.map((row) => ({ ...row, secrets: secretsFromRows(row.secrets) }))
  },
  renewSecrets: async ({ tenantId, id, secrets }, renewed) => {
    const values = [tenantId, id, secretsText(secrets), secretsText(renewed)]
    const [row] = await database.write<{ renewed: boolean }>(renewSecrets, values)
    return row?.renewed ?? false
  },
  keyUse: () => database.query<KeyUse>(keyUse, []),
})

type SecretsRow = Pick<EndpointRow, 'id' | 'secrets'> & { readonly tenantId: string }

type Counts = { readonly requeued: number | null; readonly redelivered: number | null }

async function register(
  database: Database,
  { endpoint, secrets }: StoredEndpoint,
  { endpointsPerTenant }: EndpointPolicy,
): Promise<'committed' | 'limit_reached'> {
  const [row] = await database.query<{ registered: boolean }>(registerEndpoint, [
    endpoint.tenantId,
    endpoint.id,
    endpoint.url,
    endpoint.events,
    endpoint.description,
    endpoint.status,
    endpoint.consecutiveFailures,
    endpoint.pausedAt,
    secretsText(secrets),
    endpoint.createdAt,
    endpoint.updatedAt,
    endpointsPerTenant,
  ])
  return row?.registered ? 'committed' : 'limit_reached'
}
