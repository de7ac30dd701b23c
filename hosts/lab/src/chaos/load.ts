import type { Quipu } from '@quipu/client'
import type { QrNetworkSimulator, Scenario } from '@quipu/simulators'
import { setTimeout as pause } from 'node:timers/promises'
import type { AnswerLog } from '../agreement/answer-log.ts'
import { baseOf } from './system/supervised.ts'
import type { System } from './system/system.ts'
import { type AnswerCounts, type Intent, loggingClient, payUntilEnded } from './tenant-client.ts'
import type { ChaosTenant } from './system/tenants.ts'

/** Requests of all tenants, at a bounded rate. */
export type Load = {
  readonly intents: readonly Intent[]
  readonly counts: AnswerCounts
  /** Pays through one API alone; resolves when a payment has completed. */
  payThrough(url: string, isOver: () => boolean): Promise<void>
  /** Sends no new orders; resolves when all have ended, or at the deadline. */
  stop(): Promise<void>
}

const writersPerTenant = 2
const deadlineMs = 180_000

/** Seven of ten orders are paid at once. */
const scenarioMix: readonly Scenario[] = [
  ...Array.from({ length: 7 }, () => 'paid' as const),
  ...(['late', 'refused', 'no_liquidity'] as const),
]

/** What the tenants' programs share. */
type Shared = {
  readonly system: System
  readonly urls: readonly string[]
  readonly random: () => number
  readonly log: AnswerLog
  readonly counts: AnswerCounts
  readonly intents: Intent[]
  /** Whether no new order is sent. */
  isStopped: boolean
  /** When open orders are given up, by `performance.now()`. */
  stopAt: number
  order(client: Quipu, tenant: ChaosTenant, scenario: Scenario): Promise<Intent>
}

export function startLoad(system: System, prefix: string, random: () => number, log: AnswerLog): Load {
  const intents: Intent[] = []
  const shared: Shared = {
    system,
    random,
    log,
    intents,
    counts: {},
    isStopped: false,
    stopAt: Infinity,
    urls: system.apis.flatMap(({ inbound }) => (inbound ? [baseOf(inbound)] : [])),
    order: ordersOf(system, prefix, random, intents),
  }
  const { tenants } = system
  const writing = tenants.flatMap((tenant) => Array.from({ length: writersPerTenant }, () => write(shared, tenant)))
  const working = Promise.all([...writing, ...tenants.map((tenant) => read(shared, tenant))])
  return {
    intents,
    counts: shared.counts,
    payThrough: (url, isOver) => payThrough(shared, url, isOver),
    async stop() {
      shared.isStopped = true
      shared.stopAt = Math.min(shared.stopAt, performance.now() + deadlineMs)
      await working
    },
  }
}

function ordersOf({ network }: System, prefix: string, random: () => number, intents: Intent[]): Shared['order'] {
  const contents = new Map(scenarioMix.map((scenario) => [scenario, contentOf(network, scenario)]))
  return async (client, { id: tenantId }, scenario) => {
    const amount = (1 + Math.floor(random() * 1_900) / 100).toFixed(2)
    const quote = await client.quotes.create({ target: { currency: 'BOB', amount } })
    const transaction_id = `${prefix}-${intents.length + 1}`
    const request = {
      transaction_id,
      type: 'qr' as const,
      quote_id: quote.id,
      description: transaction_id,
      qr: { content: contents.get(scenario) ?? '' },
    }
    const intent = { tenantId, request, amount, cost: quote.source.amount, ended: undefined }
    intents.push(intent)
    return intent
  }
}

async function write(shared: Shared, tenant: ChaosTenant): Promise<void> {
  const { random, order } = shared
  const client = loggingClient({ ...shared, apiKey: tenant.apiKey })
  const isOver = (): boolean => performance.now() > shared.stopAt
  while (!shared.isStopped) {
    const scenario = scenarioMix[Math.floor(random() * scenarioMix.length)] ?? 'paid'
    const intent = await order(client, tenant, scenario).catch(() => undefined)
    if (intent) {
      // An impatient tenant sends an order twice.
      const times = random() < 0.2 ? 2 : 1
      const paying = Array.from({ length: times }, () => payUntilEnded(client, intent, isOver))
      await Promise.all(paying)
    }
    await pause(200 + random() * 600)
  }
}

async function read(shared: Shared, { apiKey, id }: ChaosTenant): Promise<void> {
  const { random, intents } = shared
  const client = loggingClient({ ...shared, apiKey, attemptTimeoutMs: 5_000 })
  while (!shared.isStopped) {
    const own = intents.filter(({ tenantId }) => tenantId === id)
    await readOnce(client, own, random).catch(() => undefined)
    await pause(500 + random() * 500)
  }
}

async function payThrough(shared: Shared, url: string, isOver: () => boolean): Promise<void> {
  const [tenant] = shared.system.tenants
  if (!tenant) return
  const { apiKey } = tenant
  const client = loggingClient({ ...shared, apiKey, urls: [url], attemptTimeoutMs: 3_000 })
  let ended: string | undefined
  while (ended !== 'completed' && !isOver()) {
    const intent = await shared.order(client, tenant, 'paid').catch(() => undefined)
    if (intent) await payUntilEnded(client, intent, isOver)
    ended = intent?.ended
  }
}

const contentOf = (network: QrNetworkSimulator, scenario: Scenario): string =>
  network.issueQr({ amount_mode: 'open', scenario }).content

/** Reads payouts through one of the endpoints that show them; the client logs what is answered. */
async function readOnce(client: Quipu, intents: readonly Intent[], random: () => number): Promise<void> {
  const newest = intents.slice(-20)
  const { request } = newest[Math.floor(random() * newest.length)] ?? {}
  if (random() < 0.5 || !request) await client.payouts.list({ limit: 20 }).page()
  else await client.payouts.list({ transaction_id: request.transaction_id }).page()
}
