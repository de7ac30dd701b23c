import { afterEach, expect } from 'vitest'
import {
  type AttemptRecord,
  type ClaimedDelivery,
  type DeliveryClaimQuery,
  defaultEndpointPolicy,
  type Reactivated,
  type RecordedAttempt,
  usdt,
  type WebhookEndpoint,
} from '@quipu/core'
import { eventAbout, someInstant } from '../given.ts'
import { type OpenHarness, useWorld, type World } from '../harness.ts'

/** A tenant with endpoints, things that happen to it, and a worker that is told what to do. */
export type Post = {
  readonly tenantId: string
  newEndpoint(over?: Partial<WebhookEndpoint>): Promise<WebhookEndpoint>
  /** Something happens. @returns the event's id */
  happens(type?: 'payout.cancelled' | 'payout.failed'): Promise<string>
  /** So many things happen. */
  happen(count: number): Promise<string[]>
  claimDue(over?: Partial<DeliveryClaimQuery>): Promise<readonly ClaimedDelivery[]>
  /** Claims exactly one. */
  claimOne(over?: Partial<DeliveryClaimQuery>): Promise<ClaimedDelivery>
  record(claimed: ClaimedDelivery, over?: Partial<AttemptRecord>): Promise<RecordedAttempt>
  /** Lets the next delivery that is due run out of attempts. */
  exhaust(): Promise<RecordedAttempt>
  /** Lets the endpoint's streak reach the number that pauses it. */
  pause(): Promise<void>
  reactivate(id: string): Promise<Reactivated>
}

/**
 * Tests that share a world: claims see everybody's deliveries, so what a test leaves open goes with
 * its endpoints.
 */
export function usePosts(open: OpenHarness): {
  readonly world: () => World
  readonly openPost: () => Promise<Post>
  /** Forgets this tenant's endpoints after the test. */
  readonly clean: (tenantId: string) => void
} {
  const world = useWorld(open)
  const tenants = new Set<string>()
  afterEach(async () => {
    const { webhooks } = world()
    for (const tenantId of tenants) {
      const { items } = await webhooks.list(tenantId, { limit: 100 })
      for (const { id } of items) await webhooks.remove(tenantId, id)
    }
    tenants.clear()
  })
  const clean = (tenantId: string): void => void tenants.add(tenantId)
  return {
    world,
    clean,
    openPost: async () => {
      const post = await openPost(world())
      clean(post.tenantId)
      return post
    },
  }
}

/** At most five in a row may run out of attempts. */
export const pauseAfter = 5

export const allDue: DeliveryClaimQuery = {
  limit: 100,
  leaseSeconds: 30,
  perEndpoint: 100,
  perTenant: 100,
  deliveryClass: 'fast',
  catchUpPerSecond: 1_000_000,
}

export async function openPost(world: World): Promise<Post> {
  const tenantId = await world.newWallet(usdt(0n))
  const quote = await world.newQuote(tenantId)
  const { webhooks, deliveries, payouts, ids } = world

  const claimDue: Post['claimDue'] = (over) => deliveries.claimDue({ ...allDue, ...over })
  const claimOne: Post['claimOne'] = async (over) => {
    const [claimed, ...others] = await claimDue({ limit: 1, ...over })
    expect(others).toEqual([])
    if (!claimed) throw new Error('nothing is due')
    return claimed
  }
  const record: Post['record'] = (claimed, over) =>
    deliveries.record({
      claim: claimed.claim,
      attempt: { at: someInstant, statusCode: 200, latencyMs: 12, error: null, excerpt: 'ok' },
      decision: { type: 'delivered' },
      isSlow: false,
      pauseAfter,
      ...over,
    })
  const happens: Post['happens'] = async (type = 'payout.cancelled') => {
    const write =
      type === 'payout.cancelled' ? world.refusing(quote, { at: someInstant }) : await failing()
    const { payout } = write.step
    const event = eventAbout(payout, type, ids, payout.endedAt)
    expect(await payouts.commit({ ...write, event })).toBe('committed')
    return event.id
  }
  /** The write that fails a payout. */
  const failing = async () => {
    const funds = {
      direction: 'in',
      reason: 'funds',
      actor: 'test',
      amount: usdt(1_000_000_000n),
    } as const
    await world.wallets.adjust({ ...funds, id: ids.uuid(someInstant), tenantId })
    const payout = await world.applied(await world.newQuote(tenantId))
    return world.settling(payout, { type: 'refused_payment' })
  }
  const exhaust = async (): Promise<RecordedAttempt> =>
    record(await claimOne(), { attempt: failed, decision: { type: 'exhausted' } })

  return {
    tenantId,
    newEndpoint: async (over = {}) => {
      const endpoint = { ...someEndpoint, id: ids.next('we', someInstant), tenantId, ...over }
      const secrets = [{ sealed: `1.${endpoint.id}`, createdAt: someInstant, expiresAt: null }]
      expect(await webhooks.insert({ endpoint, secrets }, defaultEndpointPolicy)).toBe('committed')
      return endpoint
    },
    happens,
    happen: async (count) => {
      const made: string[] = []
      for (let i = 0; i < count; i++) made.push(await happens())
      return made
    },
    claimDue,
    claimOne,
    record,
    exhaust,
    pause: async () => {
      for (let i = 0; i < pauseAfter; i++) {
        await happens()
        await exhaust()
      }
    },
    reactivate: async (id) => {
      const done = await webhooks.reactivate(tenantId, id, defaultEndpointPolicy, someInstant)
      if (!done) throw new Error(`no endpoint ${id}`)
      return done
    },
  }
}

export const failed: AttemptRecord['attempt'] = {
  at: someInstant,
  statusCode: 500,
  latencyMs: 8,
  error: 'STATUS',
  excerpt: 'no – ñ',
}

/** An attempt that failed, to be made again after so long. */
export const retryIn = (inMs: number): Pick<AttemptRecord, 'attempt' | 'decision'> => ({
  attempt: failed,
  decision: { type: 'retry', inMs },
})

const someEndpoint: Omit<WebhookEndpoint, 'id' | 'tenantId'> = {
  url: 'https://hooks.example/quipu?a=ñ',
  events: null,
  description: 'Contabilidad',
  status: 'active',
  consecutiveFailures: 0,
  pausedAt: null,
  createdAt: someInstant,
  updatedAt: someInstant,
}
