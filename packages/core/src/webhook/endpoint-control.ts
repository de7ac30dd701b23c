import type { Credential } from '../access/operator.ts'
import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import type { EndpointPolicy, OperatorPause, WebhookEndpoint } from './endpoint.ts'
import type { Reactivated, ResendResult } from './ports.ts'
import type { DeliveryRef } from './wake-queue.ts'

/** Who acts on an endpoint, and when. */
export type EndpointActor = Pick<OperatorPause, 'by' | 'at'>

/** An operator's resumption of an endpoint. */
export type EndpointResumption = EndpointActor & { readonly reason: string | null }

/** The names of an endpoint and of its tenant. */
export type EndpointRef = Pick<WebhookEndpoint, 'id' | 'tenantId'>

/**
 * Actions of operators on endpoints of any tenant. The writes act for the person whose token is presented, and
 * write an audit entry; `unauthorized`: no such token may write. Every method throws `Unavailable` when the
 * database cannot be read or written.
 */
export type EndpointControlStore = {
  /** The endpoint of any tenant. */
  find(id: string): Promise<WebhookEndpoint | undefined>
  /**
   * Pauses an endpoint, also one that is paused after failures. Deliveries queue until an operator resumes it;
   * attempts under way are made. `stale`: an operator has paused it before.
   */
  pause(
    endpoint: EndpointRef,
    pause: OperatorPause,
    by: Credential,
  ): Promise<'committed' | 'stale' | 'not_found' | 'unauthorized'>
  /** As `WebhookStore.reactivate`, also of an endpoint that an operator paused. Writes no audit entry when nothing is due sooner. */
  resume(
    endpoint: EndpointRef,
    resumption: EndpointResumption,
    policy: Pick<EndpointPolicy, 'redeliverSeconds'>,
    by: Credential,
  ): Promise<Reactivated | 'not_found' | 'unauthorized'>
  /** As `DeliveryStore.resend`, also while an operator's pause lasts. */
  resend(
    tenantId: string,
    delivery: DeliveryRef,
    actor: EndpointActor,
    by: Credential,
  ): Promise<ResendResult | 'unauthorized'>
}

/** The audit entry that is written when an operator pauses an endpoint. */
export const auditEndpointPause = (
  { id, tenantId, status }: EndpointRef & Pick<WebhookEndpoint, 'status'>,
  { at, reason }: OperatorPause,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  action: 'webhook.pause',
  tenantId,
  subject: id,
  at,
  before: { status },
  after: { status: 'paused', reason },
})

/** The audit entry that is written when an operator resumes an endpoint. */
export const auditEndpointResumption = (
  { id, tenantId, status }: EndpointRef & Pick<WebhookEndpoint, 'status'>,
  { at, reason }: EndpointResumption,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  action: 'webhook.resume',
  tenantId,
  subject: id,
  at,
  before: { status },
  after: { status: 'active', ...(reason !== null && { reason }) },
})

/** The audit entry that is written when an operator resends a delivery. */
export const auditResend = (
  tenantId: string,
  { endpointId, eventId }: DeliveryRef,
  { at }: EndpointActor,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  action: 'webhook.resend',
  tenantId,
  subject: endpointId,
  at,
  before: null,
  after: { event_id: eventId },
})
