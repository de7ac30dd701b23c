import type { TenantEventType, WebhookEndpoint } from '@quipu/core'
import { type EncryptedSecret, shownSecrets, type StoredEndpoint } from '@quipu/core/adapter'

/** A secret in the JSON of `webhook_endpoint.secrets`. */
export type SecretRow = {
  readonly ciphertext: string
  readonly last_four: string
  readonly created_at: string
  readonly expires_at: string | null
}

export type EndpointRow = {
  readonly id: string
  readonly tenant_id: string
  readonly url: string
  readonly events: readonly TenantEventType[] | null
  readonly description: string | null
  readonly status: WebhookEndpoint['status']
  readonly consecutive_failures: number
  readonly paused_at: Date | null
  readonly tenant_paused: boolean
  readonly operator_paused_at: Date | null
  readonly operator_paused_by: string | null
  readonly operator_pause_reason: string | null
  readonly secrets: readonly SecretRow[]
  readonly created_at: Date
  readonly updated_at: Date
}

/** The columns of `quipu.webhook_endpoint w` that `endpointFromRow` needs. */
export const endpointColumns = `
  w.id, w.tenant_id, w.url, w.events, w.description, w.status, w.consecutive_failures, w.paused_at,
  w.tenant_paused, w.operator_paused_at, w.operator_paused_by, w.operator_pause_reason, w.secrets, w.created_at,
  w.updated_at`

export const endpointFromRow = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  tenantId: row.tenant_id,
  url: row.url,
  events: row.events,
  description: row.description,
  status: row.status,
  consecutiveFailures: row.consecutive_failures,
  pausedAt: row.paused_at,
  isPausedByTenant: row.tenant_paused,
  operatorPause: operatorPauseOf(row),
  secrets: shownSecrets(secretsFromRows(row.secrets)),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function operatorPauseOf({
  operator_paused_at: at,
  operator_paused_by: by,
  operator_pause_reason: reason,
}: EndpointRow): WebhookEndpoint['operatorPause'] {
  return at === null || by === null || reason === null ? null : { by, at, reason }
}

export const storedFromRow = (row: EndpointRow): StoredEndpoint => ({
  endpoint: endpointFromRow(row),
  secrets: secretsFromRows(row.secrets),
})

export const secretsFromRows = (rows: readonly SecretRow[]): readonly EncryptedSecret[] =>
  rows.map(({ ciphertext, last_four, created_at, expires_at }) => ({
    ciphertext,
    lastFour: last_four,
    createdAt: new Date(created_at),
    expiresAt: expires_at === null ? null : new Date(expires_at),
  }))

export const secretsText = (secrets: readonly EncryptedSecret[]): string =>
  JSON.stringify(
    secrets.map(({ ciphertext, lastFour, createdAt, expiresAt }): SecretRow => ({
      ciphertext,
      last_four: lastFour,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
    })),
  )
