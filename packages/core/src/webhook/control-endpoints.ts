import { authorized, type Operator } from '../access/operator.ts'
import type { Clock } from '../time.ts'
import type { Delivery } from './delivery.ts'
import { type EndpointPolicy, endpointPolicyShape, type WebhookEndpoint } from './endpoint.ts'
import type { EndpointControlStore } from './endpoint-control.ts'
import type { DeliveryStore, Reactivated } from './ports.ts'
import type { DeliveryRef } from './wake-queue.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `controlEndpoints`. */
export type ControlEndpointsPorts = {
  readonly endpointControl: EndpointControlStore
  readonly deliveries: Pick<DeliveryStore, 'get'>
  readonly now: Clock
}

/** Why nothing was written. */
export type EndpointControlRefusal = {
  readonly type: 'refused'
  readonly code: 'endpoint_not_found' | 'delivery_not_found' | 'delivery_pending'
}

/** How operators pause and resume endpoints of any tenant, and resend their deliveries. */
export type ControlEndpoints = {
  /** Changes nothing while an operator's pause lasts: the answer shows that pause. */
  pause(
    operator: Operator,
    id: string,
    reason: string,
  ): Promise<{ readonly type: 'done'; readonly endpoint: WebhookEndpoint } | EndpointControlRefusal>
  /** As a tenant's reactivation, also of an endpoint that an operator paused. */
  resume(
    operator: Operator,
    id: string,
    reason: string | null,
  ): Promise<(Reactivated & { readonly type: 'done' }) | EndpointControlRefusal>
  /** Makes one attempt, also while the endpoint is paused. */
  resend(
    operator: Operator,
    delivery: DeliveryRef,
  ): Promise<{ readonly type: 'done'; readonly delivery: Delivery } | EndpointControlRefusal>
}

/**
 * Pauses and resumes webhook endpoints of any tenant, and resends their deliveries. A tenant cannot end an
 * operator's pause. Every method throws `Unavailable` when the store cannot be reached; repeat the call. Without the
 * active token of an operator it throws `Unauthorized`.
 *
 * @example
 * ```ts
 * const { items: [webhook] } = await ports.webhooks.list(tenant.id, { limit: 1 })
 * const control = controlEndpoints(ports, defaultEndpointPolicy)
 * const paused = await control.pause(ana, webhook?.id ?? '', 'Its host asked us to stop.')
 * if (paused.type === 'done') console.log(paused.endpoint.operatorPause?.by) // ana
 * const resumed = await control.resume(ana, webhook?.id ?? '', null)
 * if (resumed.type === 'done') console.log(resumed.requeued) // 1
 * ```
 */
export function controlEndpoints(ports: ControlEndpointsPorts, policy: EndpointPolicy): ControlEndpoints {
  checkSettings('controlEndpoints', policy, endpointPolicyShape)
  const { endpointControl: store, deliveries, now } = ports
  return {
    async pause(operator, id, reason) {
      const found = await store.find(id)
      if (!found) return refused('endpoint_not_found')
      const pause = { by: operator.person, at: now(), reason }
      const result = authorized(await store.pause(found, pause, operator))
      const endpoint = result === 'not_found' ? undefined : await store.find(id)
      return endpoint ? { type: 'done', endpoint } : refused('endpoint_not_found')
    },

    async resume(operator, id, reason) {
      const found = await store.find(id)
      if (!found) return refused('endpoint_not_found')
      const resumption = { by: operator.person, at: now(), reason }
      const result = authorized(await store.resume(found, resumption, policy, operator))
      return result === 'not_found' ? refused('endpoint_not_found') : { type: 'done', ...result }
    },

    async resend(operator, ref) {
      const found = await store.find(ref.endpointId)
      if (!found) return refused('endpoint_not_found')
      const author = { by: operator.person, at: now() }
      const result = authorized(await store.resend(found.tenantId, ref, author, operator))
      if (result === 'pending') return refused('delivery_pending')
      const delivery = result === 'not_found' ? undefined : await deliveries.get(found.tenantId, ref)
      return delivery ? { type: 'done', delivery } : refused('delivery_not_found')
    },
  }
}

const refused = (code: EndpointControlRefusal['code']): EndpointControlRefusal => ({ type: 'refused', code })
