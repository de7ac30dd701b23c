import type { WebhookEndpoint } from '@quipu/core'
import {
  auditEndpointPause,
  auditEndpointResumption,
  auditResend,
  type EndpointControlStore,
  type EndpointRef,
  type OperatorRole,
  type OperatorToken,
} from '@quipu/core/operator'
import type { Database } from '../database.ts'
import { actingToken, requirePerson } from '../operator-token/acting-token.ts'
import { writeAudit } from '../tenant/audit-log.ts'
import { resend } from './delivery-store.ts'
import type { WebhookRow } from './webhook-row.ts'
import { reactivate } from './webhook-store.ts'

const writers: readonly OperatorRole[] = ['operator', 'admin']

/** What operators do with endpoints, in memory. */
export function memoryEndpointControlStore(database: Database): EndpointControlStore {
  const own = ({ tenantId, id }: EndpointRef): WebhookRow | undefined =>
    database.tenants.get(tenantId)?.webhooks.get(id)
  const acting = (
    { by, at }: { readonly by: string; readonly at: Date },
    tokenHash: string,
  ): OperatorToken | undefined => {
    const token = actingToken(database, tokenHash, writers, at)
    if (token) requirePerson(token, by)
    return token
  }
  return {
    find: async (id) => database.webhooks.get(id)?.endpoint,
    pause: async (endpoint, pause, tokenHash) => {
      if (!acting(pause, tokenHash)) return 'unauthorized'
      const row = own(endpoint)
      if (!row) return 'not_found'
      if (row.endpoint.operatorPause) return 'stale'
      writeAudit(database, auditEndpointPause(row.endpoint, pause))
      row.endpoint = paused(row.endpoint, pause)
      return 'committed'
    },
    resume: async (endpoint, resumption, policy, tokenHash) => {
      if (!acting(resumption, tokenHash)) return 'unauthorized'
      const row = own(endpoint)
      if (!row) return 'not_found'
      const before = row.endpoint
      const result = reactivate(row, policy, resumption.at, database.now())
      if (before.status === 'paused' || result.requeued + result.redelivered > 0)
        writeAudit(database, auditEndpointResumption(before, resumption))
      return result
    },
    resend: async (tenantId, ref, actor, tokenHash) => {
      if (!acting(actor, tokenHash)) return 'unauthorized'
      const result = resend(own({ tenantId, id: ref.endpointId }), ref.eventId, database.now())
      if (result === 'committed') writeAudit(database, auditResend(tenantId, ref, actor))
      return result
    },
  }
}

const paused = (
  endpoint: WebhookEndpoint,
  operatorPause: NonNullable<WebhookEndpoint['operatorPause']>,
): WebhookEndpoint => ({
  ...endpoint,
  ...{ status: 'paused', operatorPause, updatedAt: operatorPause.at },
  pausedAt: endpoint.pausedAt ?? operatorPause.at,
})
