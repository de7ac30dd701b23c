import {
  defaultResumeSettings,
  type Clock,
  defaultEndpointPolicy,
  defaultRetryPolicy,
  deliver,
  resumePayout,
  type SecretBox,
  type WebhookSender,
} from '@quipu/core'
import type { DeliveryClaimQuery } from '@quipu/core/adapter'
import { type Background, type Logger, logAlert } from '@quipu/runtime'
import type { MockChain } from '../deposit/mock-chain.ts'
import type { Parts } from '../parts.ts'
import type { WebhookPace } from '../webhook/webhook-pace.ts'
import type { World } from '../key/key-state.ts'

export type OpenWorkPorts = {
  readonly parts: Parts
  readonly chain: MockChain
  readonly sender: WebhookSender
  readonly secretBox: SecretBox
  readonly pace: WebhookPace
  readonly background: Background
  readonly log: Logger
  readonly headerPrefix: string
  /** Real time, which receivers have. */
  readonly signedAt: Clock
}

/** What workers do elsewhere, for the current world. */
export type OpenWork = {
  /** Ends the payouts and deposits that can be ended. @returns as `deliver` */
  settle(world: World): Promise<number | undefined>
  /**
   * Begins to send a webhook, if one is due and may be sent now.
   *
   * @returns in how many ms there is more to do; undefined when there is nothing
   */
  deliver(world: World): Promise<number | undefined>
}

/** The least of those that are there. */
export function soonest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined)
  return known.length > 0 ? Math.max(0, Math.min(...known)) : undefined
}

const leaseSeconds = 30
/** Deliveries of all keys that are under way at once. */
const deliveriesMax = 64
/** How soon it is looked again whether somebody's turn has come. */
const heldUpMs = 200
/** So many deliveries of an endpoint are looked through for the next one. */
const queuedMax = 100
const claims: Omit<DeliveryClaimQuery, 'deliveryClass'> = {
  limit: 1,
  leaseSeconds,
  perEndpoint: 1,
  perTenant: 2,
  catchUpPerSecond: 50,
}

export function openWork({ chain, ...ports }: OpenWorkPorts): OpenWork {
  const { parts, log } = ports
  const { stores } = parts
  const resume = resumePayout(
    { ...stores, ...parts, raiseAlert: logAlert(log) },
    { ...defaultResumeSettings, leaseSeconds },
  )
  return {
    async settle(world) {
      const { late } = world.network
      // As a real network would call back.
      for (const [reference, { at }] of late)
        if (at <= parts.now()) await stores.payouts.wake(reference)
      for (const claimed of await stores.payouts.claimDue(100, leaseSeconds)) {
        const { id, status } = await resume(claimed)
        if (status !== 'processing') late.delete(id)
      }
      await chain.confirm(world)
      const waiting = [...late.values(), ...world.confirming.slice(0, 1)]
      return soonest(waiting.map(({ at }) => at.getTime() - parts.now().getTime()))
    },
    deliver: dueWebhooks(ports),
  }
}

function dueWebhooks(ports: Omit<OpenWorkPorts, 'chain'>): OpenWork['deliver'] {
  const { parts, sender, secretBox, pace, background, log, ...how } = ports
  const { webhooks, deliveries } = parts.stores
  const { pauseAfter } = defaultEndpointPolicy
  const { headerPrefix, signedAt } = how
  const signing = { secretBox, sender, now: parts.now, signedAt }
  const send = deliver(
    { ...signing, deliveries, random: parts.random, raiseAlert: logAlert(log) },
    { retryPolicy: defaultRetryPolicy, pauseAfter, headerPrefix },
  )
  let underWay = 0

  /** @returns as `deliver`, when one is due that cannot be sent now */
  async function begin(
    world: World,
    deliveryClass: DeliveryClaimQuery['deliveryClass'],
  ): Promise<number | undefined> {
    const [ref] = await deliveries.enqueue({ ...claims, deliveryClass })
    const stored = ref && (await webhooks.get(world.caller.tenant.id, ref.endpointId))
    if (!stored) return undefined
    const { url } = stored.endpoint
    if (world.isDelivering || underWay >= deliveriesMax || pace.waitMs(world.key, url) > 0) {
      await deliveries.requeue([ref])
      return heldUpMs
    }
    pace.take(world.key, url)
    const claimed = await deliveries.claim(ref, leaseSeconds)
    if (!claimed) return undefined
    underWay++
    world.isDelivering = true
    const sent = send(claimed).finally(() => {
      underWay--
      world.isDelivering = false
    })
    background.run(sent)
    return undefined
  }

  /** In how many ms each of what is queued at an endpoint is due. */
  async function waitsOf(world: World, endpointId: string): Promise<readonly number[]> {
    const query = { status: 'pending', limit: queuedMax } as const
    const page = await deliveries.list(world.caller.tenant.id, endpointId, query)
    const now = parts.now().getTime()
    const waits = page.items.flatMap(({ nextAttemptAt: at }) => (at ? [at.getTime() - now] : []))
    return page.next ? [...waits, heldUpMs] : waits
  }

  return async (world) => {
    const heldUp = [await begin(world, 'fast'), await begin(world, 'slow')]
    const { items } = await webhooks.list(world.caller.tenant.id, { limit: 100 })
    const active = items.filter(({ status }) => status === 'active')
    const waits = await Promise.all(active.map(({ id }) => waitsOf(world, id)))
    return soonest([...heldUp, ...waits.flat()])
  }
}
