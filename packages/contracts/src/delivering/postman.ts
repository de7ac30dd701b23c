import {
  type DeliveryAttempt,
  type AttemptResult,
  defaultEndpointPolicy,
  defaultRetryPolicy,
  deliver,
  type Delivery,
  type EndpointPolicy,
  type Incident,
  manageWebhooks,
  type ManageWebhooks,
  type OutgoingEvent,
  type RecordedAttempt,
  type SecretBox,
  testWebhook,
  type TestWebhook,
  type WebhookRequest,
} from '@quipu/core'
import { allDue, openPost, type Post, usePosts } from '../delivery-store/post.ts'
import { counter, someInstant } from '../given.ts'
import type { OpenHarness, World } from '../harness.ts'
import { encodeForTest } from '../encode-for-test.ts'

export const headerPrefix = 'X-Service-'

/** A tenant whose receiver answers as the test says, and the worker that sends to it. */
export type Postman = Pick<Post, 'tenantId' | 'happens' | 'happen'> & {
  readonly manage: ManageWebhooks
  readonly test: TestWebhook
  readonly incidents: readonly Incident[]
  /** What the receiver got, with the instant of the worker's clock. */
  readonly received: (WebhookRequest & { readonly at: Date })[]
  readonly encoded: readonly OutgoingEvent[]
  /** How the receiver answers. */
  answer: () => AttemptResult
  /** What the guard says of URLs. */
  refusal: string | null
  /** Whether secrets can be opened. */
  isKeyLost: boolean
  /** Steps the clocks of worker and stores. */
  step(seconds: number): Promise<void>
  /** One round of the worker. */
  work(): Promise<readonly RecordedAttempt[]>
  /** Registers an endpoint; `secret` is what the receiver verifies with. */
  register(): Promise<{ readonly id: string; readonly secret: string }>
  /** The endpoint's deliveries, oldest first. */
  deliveries(endpointId: string): Promise<readonly Delivery[]>
  attempts(endpointId: string, eventId: string): Promise<readonly DeliveryAttempt[]>
}

export const answered = (statusCode: number): AttemptResult => ({
  statusCode,
  latencyMs: 10,
  error: statusCode < 300 ? null : 'STATUS',
  excerpt: 'said so',
})

/** Only looks like a box: what it sealed is readable to a test. */
const glassBox = {
  seal: (secret: string, context: string): string => `${context}|${secret}`,
  open: (sealed: string, context: string): string | undefined =>
    sealed.startsWith(`${context}|`) ? sealed.slice(context.length + 1) : undefined,
}

/** Tests that share a world, as `usePosts` has it. */
export function usePostmen(open: OpenHarness): {
  readonly world: () => World
  readonly openPostman: (policy?: EndpointPolicy) => Promise<Postman>
} {
  const { world, clean } = usePosts(open)
  return {
    world,
    openPostman: async (policy) => {
      const postman = await openPostman(world(), policy)
      clean(postman.tenantId)
      return postman
    },
  }
}

async function openPostman(
  world: World,
  policy: EndpointPolicy = defaultEndpointPolicy,
): Promise<Postman> {
  const { tenantId, happens, happen } = await openPost(world)
  const { webhooks, deliveries, ids } = world
  const time = { now: someInstant.getTime() }
  const now = (): Date => new Date(time.now)
  const incidents: Incident[] = []
  const encoded: OutgoingEvent[] = []
  const received: Postman['received'] = []
  const secretBox: SecretBox = {
    seal: glassBox.seal,
    open: (sealed, context) => (postman.isKeyLost ? undefined : glassBox.open(sealed, context)),
  }
  const ports = {
    webhooks,
    deliveries,
    ids,
    now,
    secretBox,
    random: counter(),
    alarm: (incident: Incident) => void incidents.push(incident),
    urlGuard: { check: async () => postman.refusal },
    sender: {
      send: async (request: WebhookRequest) => {
        received.push({ ...request, at: now() })
        return postman.answer()
      },
    },
    encodeEvent: (event: OutgoingEvent) => {
      encoded.push(event)
      return encodeForTest(event)
    },
  }
  const noJitter = { ...ports, random: (size: number) => new Uint8Array(size) }
  const { pauseAfter } = policy
  const send = deliver(noJitter, { retryPolicy: defaultRetryPolicy, pauseAfter, headerPrefix })
  const manage = manageWebhooks(ports, policy)
  const postman: Postman = {
    tenantId,
    happens,
    happen,
    manage,
    test: testWebhook(ports, headerPrefix),
    incidents,
    received,
    encoded,
    answer: () => answered(200),
    refusal: null,
    isKeyLost: false,
    step: async (seconds) => {
      time.now += seconds * 1_000
      await world.advance(seconds)
    },
    work: async () => {
      const lanes = [
        await deliveries.claimDue({ ...allDue, deliveryClass: 'fast' }),
        await deliveries.claimDue({ ...allDue, deliveryClass: 'slow' }),
      ]
      return Promise.all(lanes.flat().map(send))
    },
    register: async () => {
      const input = { url: 'https://hooks.example/', events: null, description: null }
      const done = await manage.create(tenantId, input)
      if (done.type === 'refused') throw new Error(`refused: ${done.code}`)
      return { id: done.endpoint.id, secret: done.secret }
    },
    deliveries: async (endpointId) =>
      (await deliveries.list(tenantId, endpointId, { limit: 100 })).items.toReversed(),
    attempts: async (endpointId, eventId) =>
      (await deliveries.get(tenantId, { endpointId, eventId }))?.attempts ?? [],
  }
  return postman
}
