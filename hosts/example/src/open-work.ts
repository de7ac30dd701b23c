import {
  type ClaimQuery,
  type Clock,
  defaultEndpointPolicy,
  defaultLadder,
  deliver,
  resumePayout,
  type SecretBox,
  type WebhookSender,
} from '@quipu/core'
import { type Background, type Logger, logAlarm } from '@quipu/runtime'
import type { MockChain } from './mock-chain.ts'
import type { Parts } from './parts.ts'
import type { WebhookPace } from './webhook-pace.ts'
import type { World } from './world.ts'

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
  /** Ends the payouts and deposits that can be ended. @returns whether there are others */
  settle(world: World): Promise<boolean>
  /** Begins to send a webhook, if one is due and may be sent now. @returns whether there are others */
  deliver(world: World): Promise<boolean>
}

const leaseSeconds = 30
/** Deliveries of all keys that are under way at once. */
const deliveriesMax = 64
const claims: Omit<ClaimQuery, 'lane'> = {
  limit: 1,
  leaseSeconds,
  perEndpoint: 1,
  catchUpPerSecond: 50,
}

export function openWork({ chain, ...ports }: OpenWorkPorts): OpenWork {
  const { parts, log } = ports
  const { stores } = parts
  const resume = resumePayout({ ...stores, ...parts, alarm: logAlarm(log) }, { leaseSeconds })
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
      return late.size > 0 || world.confirming.length > 0
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
    { ...signing, deliveries, random: parts.random, alarm: logAlarm(log) },
    { ladder: defaultLadder, pauseAfter, headerPrefix },
  )
  let underWay = 0

  /** @returns whether one is due that cannot be sent now */
  async function begin(world: World, lane: ClaimQuery['lane']): Promise<boolean> {
    const [ref] = await deliveries.handOut({ ...claims, lane })
    const stored = ref && (await webhooks.get(world.caller.tenant.id, ref.endpointId))
    if (!stored) return false
    const { url } = stored.endpoint
    if (world.isDelivering || underWay >= deliveriesMax || pace.waitMs(world.key, url) > 0) {
      await deliveries.takeBack([ref])
      return true
    }
    pace.take(world.key, url)
    const claimed = await deliveries.claim(ref, leaseSeconds)
    if (!claimed) return false
    underWay++
    world.isDelivering = true
    const sent = send(claimed).finally(() => {
      underWay--
      world.isDelivering = false
    })
    background.run(sent)
    return false
  }

  return async (world) => {
    const isHeldUp = [await begin(world, 'quick'), await begin(world, 'slow')].includes(true)
    const tenantId = world.caller.tenant.id
    const { items } = await webhooks.list(tenantId, { limit: 100 })
    for (const { id, status } of items)
      if (status === 'active' && (await webhooks.queued(tenantId, id)) > 0) return true
    return isHeldUp
  }
}
