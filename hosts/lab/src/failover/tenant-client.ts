import type { Scenario } from '@quipu/simulators'
import { askJson, type JsonReply, type Order } from '@quipu/local/testing'
import type { AnswerLog, AnsweredPayout } from '../agreement/answer-log.ts'

/** Its description is the `transaction_id`, which the network's ledger then shows. */
export type DescribedOrder = Order & { readonly description: string }

/** An ended payout or a final refusal; a payout in `processing`; a 503 or no answer. */
export type PayAnswer = 'ended' | 'open' | 'uncertain'

/** A tenant's program. It logs every answer, and the log detects contradictions. */
export type TenantClient = {
  /** Creates a quote. @returns undefined if that failed */
  order(): Promise<DescribedOrder | undefined>
  pay(order: DescribedOrder): Promise<PayAnswer>
  /** Reads payouts through a random endpoint. */
  read(order: DescribedOrder): Promise<void>
  /** Number of answers by method and status. */
  readonly answers: Readonly<Record<string, number>>
  /** Longest response time in milliseconds. */
  slowestMs(): number
}

export type TenantClientOptions = {
  /** URL of every API; each request goes to a random one. */
  readonly urls: readonly string[]
  readonly apiKey: string
  readonly seed: number
  readonly random: () => number
  /** A QR content for each scenario. */
  readonly contents: ReadonlyMap<Scenario, string>
  readonly log: AnswerLog
}

type Reply = JsonReply & { readonly askedAt: number }
/** `data` is undefined if the request failed. */
type List<Item> = { readonly data: readonly Item[] | undefined; readonly askedAt: number }
type WalletRow = { readonly payout_id: string | null; readonly transaction_id: string | null }
type EventRow = { readonly type: string; readonly data: AnsweredPayout }

/** Stands for the status of an answer that did not arrive. */
const lost = 0
const noReply = (): JsonReply => ({ status: lost, headers: new Headers(), json: undefined })

const amount = '1.00'
// Seven of ten orders are paid.
const scenarioMix = [
  ...Array.from({ length: 7 }, () => 'paid' as const),
  ...(['late', 'refused', 'no_liquidity'] as const),
]

export function tenantClient(options: TenantClientOptions): TenantClient {
  const { urls, apiKey, seed, random, contents, log } = options
  const headers = { 'x-api-key': apiKey }
  const answers: Record<string, number> = {}
  const oneOf: OneOf = (items) => items[Math.floor(random() * items.length)]
  let orders = 0
  let slowestMs = 0

  const ask: Ask = async (method, path, body) => {
    const askedAt = performance.now()
    const request = { method, path, headers, body }
    const reply = await askJson(oneOf(urls) ?? '', request).catch(noReply)
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    const key = `${method} ${reply.status || 'lost'}`
    answers[key] = (answers[key] ?? 0) + 1
    return { ...reply, askedAt }
  }
  const reads = readsOf(ask, oneOf, log)
  return {
    answers,
    slowestMs: () => Math.round(slowestMs),
    order: async () => {
      const content = contents.get(oneOf(scenarioMix) ?? 'paid')
      const body = { target: { currency: 'BOB', amount } }
      const { status, json } = await ask('POST', '/v1/quotes', body)
      if (status !== 201 || content === undefined) return undefined
      const transaction_id = `order-${seed}-${++orders}`
      const { id: quote_id } = json as { id: string }
      return { transaction_id, type: 'qr', quote_id, qr: { content }, description: transaction_id }
    },
    pay: async (order) => {
      const { transaction_id: id } = order
      const isKnown = log.has(id)
      const { status, json, askedAt } = await ask('POST', '/v1/payouts', order)
      if (status === lost || status >= 500) return 'uncertain'
      if (status === 201) {
        const payout = json as AnsweredPayout
        log.add('POST', payout, askedAt)
        return payout.status === 'processing' ? 'open' : 'ended'
      }
      const { code } = (json as { error: { code: string } }).error
      // An expired quote is the only refusal that an order without a payout can get.
      if (isKnown || code !== 'QUOTE_EXPIRED') log.addDenial(id, `${status} ${code}`)
      return 'ended'
    },
    read: async (order) => oneOf(reads)?.(order),
  }
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>
type OneOf = <T>(items: readonly T[]) => T | undefined
type Read = (order: DescribedOrder) => Promise<void>

/** Every endpoint that shows a tenant's payouts. */
function readsOf(ask: Ask, oneOf: OneOf, log: AnswerLog): readonly Read[] {
  const list = async <Item>(path: string): Promise<List<Item>> => {
    const { status, json, askedAt } = await ask('GET', path)
    return { data: status === 200 ? (json as { data: Item[] }).data : undefined, askedAt }
  }
  const byOrder: Read = async ({ transaction_id: id }) => {
    const isKnown = log.has(id)
    const { data, askedAt } = await list<AnsweredPayout>(`/v1/payouts?transaction_id=${id}`)
    for (const payout of data ?? []) log.add('list', payout, askedAt)
    if (isKnown && data?.length === 0) log.addDenial(id, 'an empty list')
  }
  const byId: Read = async () => {
    const known = oneOf([...log.payouts.values()])
    if (known === undefined) return
    const { status, json, askedAt } = await ask('GET', `/v1/payouts/${known.id}`)
    if (status === 200) log.add('GET', json as AnsweredPayout, askedAt)
    if (status === 404) log.addDenial(known.transactionId, `404 for ${known.id}`)
  }
  const newest: Read = async () => {
    const { data, askedAt } = await list<AnsweredPayout>('/v1/payouts?limit=20')
    for (const payout of data ?? []) log.add('list', payout, askedAt)
  }
  const movements: Read = async () => {
    const path = '/v1/wallets/transactions?type=payout&limit=20'
    const { data, askedAt } = await list<WalletRow>(path)
    for (const { payout_id: id, transaction_id } of data ?? []) {
      if (id === null || transaction_id === null) continue
      log.add('movement', { id, transaction_id, status: 'completed', error: null }, askedAt)
    }
  }
  const events: Read = async () => {
    const { data, askedAt } = await list<EventRow>('/v1/events?limit=20')
    for (const event of data ?? []) if (event.type.startsWith('payout.')) log.add('event', event.data, askedAt)
  }
  return [byOrder, byId, newest, movements, events]
}
