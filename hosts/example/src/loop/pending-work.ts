import {
  defaultResumeSettings,
  type ResumePayoutPorts,
  type Clock,
  defaultEndpointPolicy,
  defaultRetryPolicy,
  deliver,
  resumePayout,
  type SecretBox,
  type WebhookSender,
} from '@quipu/core'
import type { DeliveryClaimQuery } from '@quipu/core/adapter'
import { recordBalanceCrossings } from '@quipu/core/operator'
import { type Logger, logAlert } from '@quipu/runtime'
import { type SystemPorts, systemMonotonic } from '@quipu/core/system'
import type { MockChain } from '../deposit/mock-chain.ts'
import type { KeyPorts } from '../key/key-ports.ts'
import type { WebhookPace } from '../webhook/webhook-pace.ts'
import type { KeyState } from '../key/key-state.ts'

export type PendingWorkPorts = {
  readonly keyPorts: KeyPorts
  readonly chain: MockChain
  readonly sender: WebhookSender
  readonly secretBox: SecretBox
  readonly pace: WebhookPace
  readonly inBackground: SystemPorts['inBackground']
  readonly log: Logger
  readonly headerPrefix: string
  /** Real time, which receivers compare signatures with. */
  readonly signedAt: Clock
}

/** The work of the worker, for the current key. */
export type PendingWork = {
  /** Settles the payouts and deposits that are due, and compares the balance with its threshold. @returns as `deliver` */
  settle(state: KeyState): Promise<number | undefined>
  /**
   * Starts the delivery of a webhook, if one is due and the rate limit allows it.
   *
   * @returns the ms until more work is due; undefined when there is none
   */
  deliver(state: KeyState): Promise<number | undefined>
}

/** The smallest wait, at least 0; undefined when there is none. */
export function soonest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined)
  return known.length > 0 ? Math.max(0, Math.min(...known)) : undefined
}

const leaseSeconds = 30
/** Concurrent deliveries of all keys. */
const deliveriesMax = 64
/** The pause after a delivery that the rate limit or another delivery has blocked. */
const retryMs = 200
/** How many deliveries of an endpoint are searched for the next due one. */
const queuedMax = 100
const claims: Omit<DeliveryClaimQuery, 'deliveryClass'> = {
  limit: 1,
  leaseSeconds,
  perEndpoint: 1,
  perTenant: 2,
  catchUpPerSecond: 50,
}

/** The simulated network is part of this process, and keeps late payments only: it has nothing to show. */
const own: ResumePayoutPorts['networks'] = {
  knownPayment: async () => ({ payment: null, isCurrent: true }),
  halt: async () => undefined,
}

export function pendingWork({ chain, ...ports }: PendingWorkPorts): PendingWork {
  const { keyPorts, log } = ports
  const { stores } = keyPorts
  const resume = resumePayout(
    { ...stores, ...keyPorts, networks: own, monotonic: systemMonotonic, raiseAlert: logAlert(log) },
    { ...defaultResumeSettings, leaseSeconds },
  )
  return {
    async settle(state) {
      const { late } = state.network
      // Replaces the callback of a real network.
      for (const [reference, { at }] of late) if (at <= keyPorts.now()) await stores.payouts.hint(reference)
      for (const claimed of await stores.payouts.claimDue(100, leaseSeconds)) {
        const { id, status } = await resume(claimed)
        if (status !== 'processing') late.delete(id)
      }
      await chain.confirm(state)
      await recordBalanceCrossings({ ...keyPorts, wallets: stores.wallets })
      const upcoming = [...late.values(), ...state.confirming.slice(0, 1)]
      return soonest(upcoming.map(({ at }) => at.getTime() - keyPorts.now().getTime()))
    },
    deliver: deliverDue(ports),
  }
}

function deliverDue(ports: Omit<PendingWorkPorts, 'chain'>): PendingWork['deliver'] {
  const { keyPorts, sender, secretBox, pace, inBackground, log, ...how } = ports
  const { webhooks, deliveries } = keyPorts.stores
  const { pauseAfter } = defaultEndpointPolicy
  const { headerPrefix, signedAt } = how
  const signing = { secretBox, sender, now: keyPorts.now, signedAt }
  const send = deliver(
    { ...signing, deliveries, random: keyPorts.random, raiseAlert: logAlert(log) },
    { retryPolicy: defaultRetryPolicy, pauseAfter, headerPrefix },
  )
  let underWay = 0

  /** @returns the ms until the next try, when one is due that cannot be sent now */
  async function begin(
    state: KeyState,
    deliveryClass: DeliveryClaimQuery['deliveryClass'],
  ): Promise<number | undefined> {
    const [ref] = await deliveries.enqueue({ ...claims, deliveryClass })
    const stored = ref && (await webhooks.get(state.caller.tenant.id, ref.endpointId))
    if (!stored) return undefined
    const { url } = stored.endpoint
    if (state.isDelivering || underWay >= deliveriesMax || pace.waitMs(state.key, url) > 0) {
      await deliveries.requeue([ref])
      return retryMs
    }
    pace.take(state.key, url)
    const claimed = await deliveries.claim(ref, leaseSeconds)
    if (!claimed) return undefined
    underWay++
    state.isDelivering = true
    const sent = send(claimed).finally(() => {
      underWay--
      state.isDelivering = false
    })
    inBackground(sent)
    return undefined
  }

  /** The ms until each queued delivery of an endpoint is due. */
  async function waitsOf(state: KeyState, endpointId: string): Promise<readonly number[]> {
    const query = { status: 'pending', limit: queuedMax } as const
    const page = await deliveries.list(state.caller.tenant.id, endpointId, query)
    const now = keyPorts.now().getTime()
    const waits = page.items.flatMap(({ nextAttemptAt: at }) => (at ? [at.getTime() - now] : []))
    return page.next ? [...waits, retryMs] : waits
  }

  return async (state) => {
    const blocked = [await begin(state, 'fast'), await begin(state, 'slow')]
    const { items } = await webhooks.list(state.caller.tenant.id, { limit: 100 })
    const active = items.filter(({ status }) => status === 'active')
    const waits = await Promise.all(active.map(({ id }) => waitsOf(state, id)))
    return soonest([...blocked, ...waits.flat()])
  }
}
