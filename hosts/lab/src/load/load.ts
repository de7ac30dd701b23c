import type { Quipu } from '@quipu/client'
import type { QrNetworkSimulator, Scenario } from '@quipu/simulators'
import { setTimeout as pause } from 'node:timers/promises'
import type { AnswerLog } from '../agreement/answer-log.ts'
import { stillness } from '../run/stillness.ts'
import { type AnswerCounts, type Intent, loggingClient, payUntilEnded } from './tenant-client.ts'

/** Who pays, and where. */
export type Served = {
  readonly network: Pick<QrNetworkSimulator, 'issueQr'>
  /** Base URL of every API. */
  readonly urls: readonly string[]
  readonly tenants: readonly { readonly id: string; readonly apiKey: string }[]
}

/** How much a tenant sends. */
export type Rate = {
  readonly writers: number
  readonly readers: number
  /** Orders whose quotes are made in advance, and clients that make more of them: a database that stalls makes none. */
  readonly reserve: number
  readonly quoters: number
  /** The share of orders that an impatient tenant sends twice at once. */
  readonly twice: number
  /** Between two requests of one client, at least and at most. */
  readonly pauseMs: readonly [number, number]
}

/** Requests of all tenants, at a bounded rate. */
export type Load = {
  /** All orders sent so far. */
  readonly intents: readonly Intent[]
  readonly counts: AnswerCounts
  slowestMs(): number
  /** Number of orders that have ended. */
  ended(): number
  /** Accepted payouts, and quotes and payouts with a 503, that were sent since an instant by `performance.now()`. */
  sentSince(instant: number): { readonly accepted: number; readonly refused: number }
  /** The longest time between two accepted payouts since an instant by `performance.now()`, to now. */
  longestPauseMs(since: number): number
  /** Pays through one API alone. @returns whether a payment completed before the wait was over */
  payThrough(url: string, isOver: () => boolean): Promise<boolean>
  /** Resolves when each writer has got a 503, or the end of an order sent after this call. */
  untilAnswered(): Promise<void>
  /** Sends no new orders; resolves when all have ended, or no more of them end. Readers read until then. */
  stop(): Promise<void>
  /** Sends every order again, with the same body, and stops. */
  repeatAndStop(): Promise<void>
}

const atOnce = 16

/** Seven of ten orders are paid at once. */
const scenarioMix: readonly Scenario[] = [
  ...Array.from({ length: 7 }, () => 'paid' as const),
  ...(['late', 'refused', 'no_liquidity'] as const),
]

type Tenant = Served['tenants'][number]

/** State that the tenants' programs share. */
type Shared = Served & {
  readonly rate: Rate
  readonly random: () => number
  readonly log: AnswerLog
  readonly counts: AnswerCounts
  readonly intents: Intent[]
  /** By writer: when its last ended order was sent, by `performance.now()`; infinite after a 503. */
  readonly answered: number[]
  slowestMs: number
  /** Accepted payouts, and quotes and payouts answered with 503: when sent and answered, by `performance.now()`. */
  readonly attempts: { readonly sentAt: number; readonly at: number; readonly isAccepted: boolean }[]
  /** Orders whose wait was over before they had ended. */
  readonly left: Promise<void>[]
  /** Number of orders that were sent again. */
  repeated: number
  /** Whether no new order is sent. */
  isStopped: boolean
  /** Whether nothing more is read. */
  isRead: boolean
  /** Whether open orders are given up. */
  isGivenUp: boolean
  order(client: Quipu, tenant: Tenant, scenario?: Scenario): Promise<Intent>
}

/** @param prefix  of each `transaction_id` */
export async function startLoad(
  served: Served,
  rate: Rate,
  { prefix, random, log }: { readonly prefix: string; readonly random: () => number; readonly log: AnswerLog },
): Promise<Load> {
  const order = ordersOf(served, prefix, random)
  const none = { answered: [], attempts: [], left: [], repeated: 0, slowestMs: 0 }
  const open = { ...none, isStopped: false, isRead: false, isGivenUp: false }
  const shared: Shared = { ...served, rate, random, log, order, intents: [], counts: {}, ...open }
  const reserves = await Promise.all(served.tenants.map((tenant) => reserveOf(shared, tenant)))
  const paying = Promise.all(
    served.tenants.flatMap((tenant, place) => startPaying(shared, tenant, reserves[place] ?? [])),
  )
  const reading = Promise.all(served.tenants.flatMap((tenant) => times(rate.readers, () => read(shared, tenant))))
  const end = async (last: () => Promise<void>): Promise<void> => {
    shared.isStopped = true
    const giving = giveUpStill(shared)
    await paying
    await Promise.all(shared.left)
    await last()
    shared.isRead = true
    await Promise.all([reading, giving])
  }
  return {
    intents: shared.intents,
    counts: shared.counts,
    slowestMs: () => Math.round(shared.slowestMs),
    ended: () => endedOf(shared),
    sentSince: (instant) => {
      const sent = shared.attempts.filter(({ sentAt }) => sentAt >= instant)
      const accepted = sent.filter(({ isAccepted }) => isAccepted).length
      return { accepted, refused: sent.length - accepted }
    },
    longestPauseMs: (since) => longestPause(shared, since),
    payThrough: (url, isOver) => payThrough(shared, url, isOver),
    async untilAnswered() {
      const now = performance.now()
      while (shared.answered.some((since) => since < now)) await pause(20)
    },
    stop: () => end(async () => undefined),
    repeatAndStop: () => end(() => repeatAll(shared)),
  }
}

const endedOf = ({ intents }: Shared): number => intents.filter(({ ended }) => ended !== undefined).length

/** Gives up the open orders when none of them ends any more. */
async function giveUpStill(shared: Shared): Promise<void> {
  const isStill = stillness()
  for (; !shared.isRead && !shared.isGivenUp; await pause(200))
    shared.isGivenUp = isStill(`${endedOf(shared)} ${shared.repeated}`)
}

function longestPause({ attempts }: Shared, since: number): number {
  const accepted = attempts.filter(({ at, isAccepted }) => isAccepted && at > since)
  const instants = [since, ...accepted.map(({ at }) => at), performance.now()]
  return Math.round(Math.max(...instants.slice(1).map((at, place) => at - (instants[place] ?? at))))
}

async function reserveOf(shared: Shared, tenant: Tenant): Promise<Intent[]> {
  const client = clientOf(shared, tenant)
  return Promise.all(times(shared.rate.reserve, () => shared.order(client, tenant)))
}

function startPaying(shared: Shared, tenant: Tenant, reserve: Intent[]): readonly Promise<void>[] {
  const { writers, quoters } = shared.rate
  const client = clientOf(shared, tenant)
  const quote = async (): Promise<void> => {
    while (!shared.isStopped) {
      const intent = await shared.order(client, tenant).catch(() => undefined)
      if (intent) reserve.unshift(intent)
      await rest(shared)
    }
  }
  return [...times(writers, () => write(shared, tenant, reserve)), ...times(quoters, quote)]
}

const times = <T>(count: number, make: () => Promise<T>): Promise<T>[] => Array.from({ length: count }, make)

const rest = ({ random, rate: { pauseMs } }: Shared): Promise<void> =>
  pause(pauseMs[0] + random() * (pauseMs[1] - pauseMs[0]))

/** A client of the tenant. `on503` is called when a payout was not answered. */
const clientOf = (
  shared: Shared,
  { apiKey }: Tenant,
  more: { readonly urls?: readonly string[]; readonly attemptTimeoutMs?: number; readonly on503?: () => void } = {},
): Quipu => {
  const { on503, ...options } = more
  const onAnswer = (path: string, status: number, ms: number): void => {
    shared.slowestMs = Math.max(shared.slowestMs, ms)
    const isAccepted = status === 201 && path === '/v1/payouts'
    const isRefused = status === 503 && ['/v1/payouts', '/v1/quotes'].includes(path)
    const at = performance.now()
    if (isAccepted || isRefused) shared.attempts.push({ sentAt: at - ms, at, isAccepted })
    if (isRefused && path === '/v1/payouts') on503?.()
  }
  return loggingClient({ ...shared, apiKey, onAnswer, ...options })
}

function ordersOf({ network }: Served, prefix: string, random: () => number): Shared['order'] {
  const contents = new Map(scenarioMix.map((scenario) => [scenario, contentOf(network, scenario)]))
  let count = 0
  return async (
    client,
    { id: tenantId },
    scenario = scenarioMix[Math.floor(random() * scenarioMix.length)] ?? 'paid',
  ) => {
    const amount = (1 + Math.floor(random() * 1_900) / 100).toFixed(2)
    const quote = await client.quotes.create({ target: { currency: 'BOB', amount } })
    const transaction_id = `${prefix}-${++count}`
    const request = {
      transaction_id,
      type: 'qr' as const,
      quote_id: quote.id,
      description: transaction_id,
      qr: { content: contents.get(scenario) ?? '' },
    }
    return { tenantId, request, amount, cost: quote.source.amount, ended: undefined }
  }
}

async function write(shared: Shared, tenant: Tenant, reserve: Intent[]): Promise<void> {
  const { random, order, intents, answered, rate } = shared
  const writer = answered.push(0) - 1
  const client = clientOf(shared, tenant, { on503: () => (answered[writer] = Infinity) })
  const isOver = (): boolean => shared.isGivenUp
  while (!shared.isStopped) {
    const since = performance.now()
    const intent = reserve.pop() ?? (await order(client, tenant).catch(() => undefined))
    if (intent) {
      intents.push(intent)
      const sent = random() < rate.twice ? 2 : 1
      await Promise.all(times(sent, () => payUntilEnded(client, intent, isOver)))
      answered[writer] = Math.max(answered[writer] ?? 0, since)
    }
    await rest(shared)
  }
}

async function read(shared: Shared, tenant: Tenant): Promise<void> {
  const client = clientOf(shared, tenant, { attemptTimeoutMs: 5_000 })
  while (!shared.isRead) {
    const own = shared.intents.filter(({ tenantId }) => tenantId === tenant.id)
    await readOnce(client, own, shared).catch(() => undefined)
    await rest(shared)
  }
}

async function payThrough(shared: Shared, url: string, isOver: () => boolean): Promise<boolean> {
  const [tenant] = shared.tenants
  if (!tenant) return false
  const client = clientOf(shared, tenant, { urls: [url] })
  while (!isOver()) {
    const intent = await shared.order(client, tenant, 'paid').catch(() => undefined)
    if (!intent) continue
    shared.intents.push(intent)
    // Its tenant goes on when this wait is over.
    shared.left.push(payUntilEnded(client, intent, () => shared.isGivenUp))
    while (intent.ended === undefined && !isOver()) await pause(50)
    if (intent.ended === 'completed') return true
  }
  return false
}

async function repeatAll(shared: Shared): Promise<void> {
  const isOver = (): boolean => shared.isGivenUp
  const left = [...shared.intents]
  const repeat = async (): Promise<void> => {
    for (let intent = left.pop(); intent !== undefined; intent = left.pop()) {
      const tenant = shared.tenants.find(({ id }) => id === intent.tenantId)
      const again: Intent = { ...intent, ended: undefined }
      if (tenant) await payUntilEnded(clientOf(shared, tenant), again, isOver)
      intent.ended ??= again.ended
      shared.repeated++
    }
  }
  await Promise.all(times(atOnce, repeat))
}

const contentOf = (network: Served['network'], scenario: Scenario): string =>
  network.issueQr({ amount_mode: 'open', scenario }).content

/** Reads payouts through one of the endpoints that show them; the client logs what is answered. */
async function readOnce(client: Quipu, intents: readonly Intent[], { random, log }: Shared): Promise<void> {
  const { request } = intents.slice(-40)[Math.floor(random() * Math.min(40, intents.length))] ?? {}
  const reads = [
    () => client.payouts.list({ limit: 20 }).page(),
    () => client.wallets.transactions({ type: 'payout', limit: 20 }).page(),
    () => client.events.list({ limit: 20 }).page(),
    ...(request ? [() => client.payouts.list({ transaction_id: request.transaction_id }).page()] : []),
    ...Array.from(log.payouts.values())
      .filter(({ transactionId }) => transactionId === request?.transaction_id)
      .map(
        ({ id }) =>
          () =>
            client.payouts.get(id),
      ),
  ]
  await reads[Math.floor(random() * reads.length)]?.()
}
