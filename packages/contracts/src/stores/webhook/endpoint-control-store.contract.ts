import { describe, expect, test } from 'vitest'
import { defaultEndpointPolicy as policy, type WebhookEndpoint } from '@quipu/core'
import { auditEndpointPause, auditEndpointResumption, auditResend, type OperatorPause } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'
import {
  allDue,
  failedAttempt,
  openSubscriber,
  retryIn,
  type SubscriberStores,
} from '../../fixtures/webhook/subscriber.ts'

type Needed = SubscriberStores | 'events' | 'audit' | 'endpointControl'

const after = (seconds: number): Date => new Date(someInstant.getTime() + seconds * 1_000)
const pause: OperatorPause = { by: 'ana', at: after(1), reason: 'Su servidor no responde. 💸' }
const resumption = { by: 'ben', at: after(2), reason: null }
const [ana, ben] = [credentialOf('ana'), credentialOf('ben')]

/** The contract of an `EndpointControlStore`, and that `WebhookStore` and `DeliveryStore` obey a pause. */
export function endpointControlStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`endpoint control store in ${name}`, () => {
    const w = useWorld(open, 'each')
    const newSubscriber = () => openSubscriber(w)
    const control = () => w.endpointControl
    const auditOf = ({ id }: WebhookEndpoint) => auditEntries(w.audit, { subject: id, limit: 20 })

    test('events queue while the pause lasts; a resumption sends them once, in their order', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const endpoint = await subscriber.newEndpoint()
      const { id } = endpoint
      expect(await control().pause(endpoint, pause, ana)).toBe('committed')
      expect(await control().pause(endpoint, { ...pause, at: after(9) }, ana)).toBe('stale')
      const paused: WebhookEndpoint = {
        ...endpoint,
        status: 'paused',
        pausedAt: pause.at,
        operatorPause: pause,
        updatedAt: pause.at,
      }
      expect(await control().find(id)).toEqual(paused)
      expect((await w.webhooks.get(tenantId, id))?.endpoint).toEqual(paused)
      const events = await subscriber.emitEvents(12)
      expect(await subscriber.claimDue()).toEqual([])
      expect(await w.deliveries.enqueue(allDue)).toEqual([])

      const resumed = await control().resume(endpoint, resumption, policy, ben)
      const active = { ...endpoint, updatedAt: resumption.at }
      expect(resumed).toEqual({ endpoint: active, requeued: 12, redelivered: 0 })
      expect(await control().find(id)).toEqual(active)
      await w.advance(1)
      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ claim }) => claim.eventId)).toEqual(events)
      for (const each of claimed) await subscriber.record(each)
      await w.advance(60)
      expect(await subscriber.claimDue()).toEqual([])
      expect(await auditOf(endpoint)).toEqual([
        auditEndpointResumption(paused, resumption, originOf('ben')),
        auditEndpointPause(endpoint, pause, originOf('ana')),
      ])
    })

    test('the tenant can neither reactivate nor resend while the pause lasts, and can after it', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const endpoint = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      await subscriber.record(await subscriber.claimOne())
      await control().pause(endpoint, pause, ana)
      const before = await control().find(endpoint.id)
      const ref = { endpointId: endpoint.id, eventId }
      const { webhooks, deliveries } = w
      const reactivate = () => webhooks.reactivate(tenantId, endpoint.id, policy, after(5))
      expect(await reactivate()).toBe('paused_by_operator')
      expect(await deliveries.resend(tenantId, ref)).toBe('paused_by_operator')
      const replay = deliveries.replay(tenantId, endpoint.id, { since: new Date(0), limit: 9 })
      expect(await replay).toBe('paused_by_operator')
      expect(await control().find(endpoint.id)).toEqual(before)
      expect(await deliveries.get(tenantId, ref)).toMatchObject({ status: 'delivered' })
      await control().resume(endpoint, resumption, policy, ben)
      expect(await auditOf(endpoint)).toHaveLength(2)
      expect(await reactivate()).toMatchObject({ requeued: 0 })
      expect(await deliveries.resend(tenantId, ref)).toBe('committed')
    })

    test('its tenant pauses and resumes an endpoint, and neither ends nor replaces an operator’s pause', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const endpoint = await subscriber.newEndpoint()
      const { webhooks } = w
      const at = after(1)
      const own = { ...endpoint, status: 'paused', isPausedByTenant: true, pausedAt: at, updatedAt: at } as const
      expect(await webhooks.pause(tenantId, endpoint.id, at)).toEqual(own)
      expect(await webhooks.pause(tenantId, endpoint.id, after(2))).toEqual(own)
      const { id: other } = await w.newTenant()
      expect(await webhooks.pause(other, endpoint.id, at)).toBeUndefined()
      const eventId = await subscriber.emitEvent()
      expect(await subscriber.claimDue()).toEqual([])
      const resumed = await webhooks.reactivate(tenantId, endpoint.id, policy, after(3))
      expect(resumed).toEqual({ endpoint: { ...endpoint, updatedAt: after(3) }, requeued: 1, redelivered: 0 })
      await w.advance(1)
      expect((await subscriber.claimOne()).claim.eventId).toBe(eventId)

      await control().pause(endpoint, pause, ana)
      const before = await control().find(endpoint.id)
      expect(await webhooks.pause(tenantId, endpoint.id, after(4))).toEqual(before)
      await control().resume(endpoint, resumption, policy, ben)
      expect(await webhooks.pause(tenantId, endpoint.id, after(5))).toMatchObject({ isPausedByTenant: true })
      expect(await control().pause(endpoint, pause, ana)).toBe('committed')
      expect(await webhooks.reactivate(tenantId, endpoint.id, policy, after(6))).toBe('paused_by_operator')
      await control().resume(endpoint, resumption, policy, ben)
      expect(await control().find(endpoint.id)).toMatchObject({ status: 'active', isPausedByTenant: false })
    })

    test('an endpoint that failures paused is paused again, and resumed with what was exhausted', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const { id } = await subscriber.newEndpoint()
      await subscriber.pause()
      const failed = await control().find(id)
      expect(failed).toMatchObject({ status: 'paused', operatorPause: null })
      expect(await control().pause({ id, tenantId }, pause, ana)).toBe('committed')
      const paused = await control().find(id)
      expect(paused).toMatchObject({ pausedAt: failed?.pausedAt, operatorPause: pause })
      const reason = 'El receptor responde.'
      const resumed = await control().resume({ id, tenantId }, { ...resumption, reason }, policy, ben)
      expect(resumed).toMatchObject({
        requeued: 0,
        redelivered: 5,
        endpoint: { status: 'active', consecutiveFailures: 0, operatorPause: null },
      })
      const [resumptionEntry, pauseEntry] = await auditEntries(w.audit, { subject: id, limit: 9 })
      expect(resumptionEntry?.after).toEqual({ status: 'active', reason })
      expect(pauseEntry?.before).toEqual({ status: 'paused' })
    })

    test('attempts under way at the pause are recorded; one that failed queues', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const endpoint = await subscriber.newEndpoint()
      const [arriving, failing] = await subscriber.emitEvents(2)
      const claimed = await subscriber.claimDue()
      await control().pause(endpoint, pause, ana)
      for (const each of claimed) {
        const over = each.claim.eventId === failing ? retryIn(1_000) : {}
        expect(await subscriber.record(each, over)).toMatchObject({ type: 'recorded' })
      }
      await w.advance(3_600)
      expect(await subscriber.claimDue()).toEqual([])
      const statusOf = async (eventId = '') =>
        (await w.deliveries.get(tenantId, { endpointId: endpoint.id, eventId }))?.status
      expect([await statusOf(arriving), await statusOf(failing)]).toEqual(['delivered', 'held'])
    })

    test('a resumption of an active endpoint makes retries due; without any it writes no audit entry', async () => {
      const subscriber = await newSubscriber()
      const endpoint = await subscriber.newEndpoint()
      await control().resume(endpoint, resumption, policy, ben)
      expect(await auditOf(endpoint)).toEqual([])
      await subscriber.emitEvent()
      await subscriber.record(await subscriber.claimOne(), retryIn(3_600_000))
      const resumed = await control().resume(endpoint, resumption, policy, ben)
      expect(resumed).toMatchObject({ requeued: 1, redelivered: 0 })
      expect(await auditOf(endpoint)).toEqual([auditEndpointResumption(endpoint, resumption, originOf('ben'))])
    })

    test('an operator resends one delivery while the pause lasts', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const endpoint = await subscriber.newEndpoint()
      await control().pause(endpoint, pause, ana)
      const [eventId = ''] = await subscriber.emitEvents(2)
      const ref = { endpointId: endpoint.id, eventId }
      const resend = () => control().resend(tenantId, ref, resumption, ben)
      expect(await resend()).toBe('committed')
      expect(await resend()).toBe('pending')
      const claimed = await subscriber.claimOne()
      expect(claimed).toMatchObject({ claim: { eventId }, isResend: true })
      await subscriber.record(claimed, { attempt: failedAttempt, decision: { type: 'exhausted' } })
      expect(await w.deliveries.get(tenantId, ref)).toMatchObject({ status: 'held' })
      expect(await subscriber.claimDue()).toEqual([])
      const [entry, ...others] = await auditOf(endpoint)
      expect(entry).toEqual(auditResend(tenantId, ref, resumption, originOf('ben')))
      expect(others).toEqual([auditEndpointPause(endpoint, pause, originOf('ana'))])
      const unknown = { ...ref, eventId: w.ids.uuid(someInstant) }
      expect(await control().resend(tenantId, unknown, resumption, ben)).toBe('not_found')
    })

    test('without the token of an operator or admin nothing is written', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const endpoint = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const ref = { endpointId: endpoint.id, eventId }
      await subscriber.record(await subscriber.claimOne())
      const writes = (by: string) => [
        () => control().pause(endpoint, { ...pause, by }, credentialOf(by)),
        () => control().resume(endpoint, { ...resumption, by }, policy, credentialOf(by)),
        () => control().resend(tenantId, ref, { by, at: after(1) }, credentialOf(by)),
      ]
      for (const by of ['vic', 'aud', 'nobody'])
        for (const write of writes(by)) expect(await write()).toBe('unauthorized')
      expect(await control().find(endpoint.id)).toEqual(endpoint)
      expect(await auditOf(endpoint)).toEqual([])
    })

    test('neither an unknown endpoint nor one in another tenant’s name is found', async () => {
      const [subscriber, other] = [await newSubscriber(), await newSubscriber()]
      const endpoint = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const unknown = { ...endpoint, id: w.ids.next('we', someInstant) }
      for (const { id, tenantId } of [unknown, { ...endpoint, tenantId: other.tenantId }]) {
        const ref = { endpointId: id, eventId }
        expect(await control().pause({ id, tenantId }, pause, ana)).toBe('not_found')
        expect(await control().resume({ id, tenantId }, resumption, policy, ben)).toBe('not_found')
        expect(await control().resend(tenantId, ref, resumption, ben)).toBe('not_found')
      }
      expect(await control().find(unknown.id)).toBeUndefined()
      expect(await control().find(endpoint.id)).toEqual(endpoint)
    })
  })
}
