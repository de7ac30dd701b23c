import { expect } from 'vitest'
import { builders, type Harness } from '@quipu/contracts'
import {
  defaultEndpointPolicy,
  type Deliver,
  deliver,
  type SecretBox,
  usdt,
  type WebhookEndpoint,
} from '@quipu/core'
import type { AttemptResult, ClaimedDelivery, DeliveryRef } from '@quipu/core/adapter'
import { type GatedProcess, gatedProcess } from './gated-process.fixture.ts'
import { OtherOrder } from './other-order.fixture.ts'
import type { OpenReplay, Wrap } from './open-replay.fixture.ts'
import { start } from './stores.fixture.ts'

/** The state of `delivery.qnt`, as its traces have it. */
type State = {
  readonly deliveries: ReadonlyMap<string, Delivery>
  readonly failures: number
  readonly isPaused: boolean
  readonly steps: ReadonlyMap<string, { readonly call: string }>
}
type Delivery = { readonly status: string; readonly isClaimable: boolean; readonly token: number }
type Picks = { readonly p: string; readonly event: string; readonly result: string }

const leaseSeconds = 60
/** Longer than a lease and than the longest retry delay with its jitter. */
const waitSeconds = 121
const policy = { ...defaultEndpointPolicy, pauseAfter: 2 }
const retryPolicy = { attempts: 2, firstDelaySeconds: 30, maxDelaySeconds: 60 }
const secretBox: SecretBox = {
  keyIds: ['1'],
  encrypt: (secret) => `1.${secret}`,
  decrypt: (ciphertext) => ciphertext.slice(2),
}

const answer = (error: AttemptResult['error'], statusCode: number | null): AttemptResult => ({
  ...{ statusCode, latencyMs: 10, error, excerpt: null },
})
const results: Readonly<Record<string, AttemptResult>> = {
  Unreachable: answer('NAME_NOT_FOUND', null),
  Rejected: answer('STATUS', 500),
  Unheard: answer('TIMEOUT', null),
  Accepted: answer(null, 200),
}

type Actions = Readonly<Record<string, (picks: Picks) => Promise<void>>>
type Context = Awaited<ReturnType<typeof openDeliveries>>

/** The real use case of deliveries over these stores; each step of a trace is taken by it. */
export const deliveryReplay: OpenReplay = async (world, wrap = (stores) => stores) => {
  const context = await openDeliveries(world, wrap)
  const actions = actionsOf(context)
  return async ({ action, picks, state }) => {
    const take = actions[action]
    if (!take) throw new Error(`the replay lacks ${action}`)
    await take(picks as unknown as Picks)
    await compare(context, state as unknown as State)
  }
}

async function openDeliveries(world: Harness, wrap: Wrap) {
  const data = builders(world)
  const tenantId = await data.newWallet(usdt(1_000_000n))
  const { deliveries, webhooks } = wrap(world)
  const endpoint: WebhookEndpoint = {
    id: data.ids.next('we', start),
    ...{ tenantId, url: 'https://example.com/', events: null, description: null },
    status: 'active',
    ...{ consecutiveFailures: 0, pausedAt: null, operatorPause: null },
    ...{ createdAt: start, updatedAt: start },
  }
  const ciphertext = secretBox.encrypt('whsec_AAAA', '')
  const secrets = [{ ciphertext, createdAt: start, expiresAt: null }]
  expect(await webhooks.insert({ endpoint, secrets }, policy)).toBe('committed')
  const time = { now: start.getTime() }
  const workers = new Map<string, { readonly gates: GatedProcess; readonly send: Deliver }>()
  for (const name of ['worker 1', 'worker 2']) {
    const gates = gatedProcess([])
    const ports = {
      deliveries: gates.gate(deliveries),
      sender: gates.gate({ send: () => Promise.resolve(answer(null, 200)) }),
      ...{ secretBox, random: () => new Uint8Array(1), now: () => new Date(time.now) },
      raiseAlert: () => undefined,
    }
    const { pauseAfter } = policy
    workers.set(name, {
      gates,
      send: deliver(ports, { retryPolicy, pauseAfter, headerPrefix: 'X-' }),
    })
  }
  /** The ids of the committed events, by the model's names. */
  const idOf = new Map<string, string>()
  return { world, data, tenantId, deliveries, webhooks, endpoint, time, workers, idOf }
}

const refOf = ({ endpoint, idOf }: Context, event: string): DeliveryRef => ({
  endpointId: endpoint.id,
  eventId: idOf.get(event) ?? '',
})

async function wait({ time, world }: Context, seconds: number): Promise<void> {
  time.now += seconds * 1000
  await world.advance(seconds)
}

async function claimDue({ deliveries }: Context): Promise<ClaimedDelivery | undefined> {
  for (const deliveryClass of ['fast', 'slow'] as const) {
    const share = { limit: 1, perEndpoint: 10, perTenant: 10, catchUpPerSecond: 1_000 }
    const [claimed] = await deliveries.claimDue({ ...share, leaseSeconds, deliveryClass })
    if (claimed) return claimed
  }
  return undefined
}

function actionsOf(context: Context): Actions {
  const { world, data, tenantId, deliveries, webhooks, endpoint, time, workers, idOf } = context
  const workerOf = (name: string) => {
    const found = workers.get(name)
    if (!found) throw new Error(`no worker ${name}`)
    return found
  }
  return {
    commitsFact: async ({ event }) => {
      const at = new Date(time.now)
      const quote = await data.newQuote(tenantId)
      const write = data.insertEndedCommit(quote, { at, createdAt: at })
      if (!write.step.event) throw new Error('a cancelled payout has an event')
      idOf.set(event, write.step.event.id)
      expect(await world.payouts.commit(write)).toBe('committed')
    },
    claims: async ({ p, event }) => {
      // A worker of a queue claims one delivery by its name, if it was claimed before.
      const byName = await deliveries.claim(refOf(context, event), leaseSeconds)
      const claimed = byName ?? (await claimDue(context))
      if (!claimed) throw new Error(`${event} is not due`)
      if (claimed.claim.eventId !== idOf.get(event)) throw new OtherOrder()
      const { gates, send } = workerOf(p)
      await gates.start(
        () => send(claimed),
        () => undefined,
      )
    },
    sends: ({ p, result }) => workerOf(p).gates.answer('send', results[result]),
    records: ({ p }) => workerOf(p).gates.pass('record'),
    reactivates: async () => {
      await webhooks.reactivate(tenantId, endpoint.id, policy, new Date(time.now))
      // An endpoint that was reactivated catches up at a pace: at this instant nothing is due.
      await wait(context, 1)
    },
    crashes: async ({ p }) => workerOf(p).gates.crash(),
    timePasses: () => wait(context, waitSeconds),
  }
}

async function compare(context: Context, state: State): Promise<void> {
  const { tenantId, deliveries, webhooks, endpoint, workers, idOf } = context
  const { endpoint: stored } = (await webhooks.get(tenantId, endpoint.id)) ?? {}
  const real = await Promise.all(
    Array.from(idOf.keys(), async (event) => {
      const delivery = await deliveries.get(tenantId, refOf(context, event))
      return [event, delivery?.status] as const
    }),
  )
  expect({
    deliveries: new Map(real),
    isPaused: stored?.status === 'paused',
    failures: stored?.consecutiveFailures,
    calls: Array.from(workers, ([name, { gates }]) => [name, callOf(gates)]),
  }).toEqual({
    deliveries: new Map(
      Array.from(state.deliveries)
        .filter(([, { status }]) => status !== 'Absent')
        .map(([event, { status }]) => [event, shown(status, state.isPaused)]),
    ),
    isPaused: state.isPaused,
    failures: state.failures,
    calls: Array.from(state.steps, ([name, { call }]) => [name, call]),
  })
  const isAnyDue = Array.from(state.deliveries.values()).some(({ isClaimable }) => isClaimable)
  if (state.isPaused || !isAnyDue) expect(await claimDue(context)).toBeUndefined()
}

const shown = (status: string, isPaused: boolean): string =>
  status === 'Queued' ? (isPaused ? 'held' : 'pending') : status.toLowerCase()

function callOf(gates: GatedProcess): string {
  const [call = 'idle', ...others] = gates.waiting()
  if (others.length > 0) return [call, ...others].join(' and ')
  return { idle: 'Idle', send: 'Sending', record: 'Recording' }[call] ?? call
}
