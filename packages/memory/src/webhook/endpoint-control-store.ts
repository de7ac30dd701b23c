import type { WebhookEndpoint } from '@quipu/core'
import {
  type AuditAuthor,
  auditEndpointPause,
  auditEndpointResumption,
  auditResend,
  type Credential,
  type EndpointActor,
  type EndpointControlStore,
  type EndpointRef,
} from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { resend } from './delivery-store.ts'
import type { WebhookRow } from '../table/webhook-row.ts'
import { reactivate } from './webhook-store.ts'

/** Actions of operators on endpoints, in memory. */
export function memoryEndpointControlStore(database: Database): EndpointControlStore {
  const own = ({ tenantId, id }: EndpointRef): WebhookRow | undefined =>
    database.tenants.get(tenantId)?.webhooks.get(id)
  const authorOf = ({ at }: EndpointActor, by: Credential): AuditAuthor | undefined =>
    actingToken(database, by, at, writers)?.author
  return {
    find: async (id) => database.webhooks.get(id)?.endpoint,
    pause: async (endpoint, pause, by) => {
      const author = authorOf(pause, by)
      if (!author) return 'unauthorized'
      const row = own(endpoint)
      if (!row) return 'not_found'
      if (row.endpoint.operatorPause) return 'stale'
      writeAudit(database, auditEndpointPause(row.endpoint, pause, author))
      row.endpoint = paused(row.endpoint, pause)
      return 'committed'
    },
    resume: async (endpoint, resumption, policy, by) => {
      const author = authorOf(resumption, by)
      if (!author) return 'unauthorized'
      const row = own(endpoint)
      if (!row) return 'not_found'
      const before = row.endpoint
      const result = reactivate(row, policy, resumption.at, database.now())
      if (before.status === 'paused' || result.requeued + result.redelivered > 0)
        writeAudit(database, auditEndpointResumption(before, resumption, author))
      return result
    },
    resend: async (tenantId, ref, actor, by) => {
      const author = authorOf(actor, by)
      if (!author) return 'unauthorized'
      const result = resend(own({ tenantId, id: ref.endpointId }), ref.eventId, database.now())
      if (result === 'committed') writeAudit(database, auditResend(tenantId, ref, actor, author))
      return result
    },
  }
}

const paused = (
  endpoint: WebhookEndpoint,
  operatorPause: NonNullable<WebhookEndpoint['operatorPause']>,
): WebhookEndpoint => ({
  ...endpoint,
  status: 'paused',
  operatorPause,
  updatedAt: operatorPause.at,
  pausedAt: endpoint.pausedAt ?? operatorPause.at,
})
