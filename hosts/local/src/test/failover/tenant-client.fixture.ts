import type { Scenario } from '@quipu/simulators'
import { askJson, type JsonReply } from '../../ask-json.ts'
import type { Order } from '../harness/tenant.fixture.ts'
import type { ToldLog, ToldPayout } from './answer-log.fixture.ts'

/** The network shows the description in its ledger: it is the `transaction_id`. */
export type DescribedOrder = Order & { readonly description: string }

/** Ended, by a payout that has ended or a refusal for good; `processing`; or a 503. */
export type PayAnswer = 'ended' | 'open' | 'uncertain'

/** A tenant's program, which writes down what it is told, and notices what contradicts it. */
export type TenantClient = {
  /** @returns undefined when there was no quote */
  order(): Promise<DescribedOrder | undefined>
  pay(order: DescribedOrder): Promise<PayAnswer>
  /** Reads in one of the ways that a tenant has. */
  read(order: DescribedOrder): Promise<void>
  /** How often each status was answered. */
  readonly answers: Readonly<Record<string, number>>
  /** The longest that any answer took, in milliseconds. */
  slowestMs(): number
}

export type TenantClientOptions = {
  /** Of every API; each request goes to one of them. */
  readonly urls: readonly string[]
  readonly apiKey: string
  readonly seed: number
  readonly random: () => number
  /** A QR content for each scenario that orders have. */
  readonly contents: ReadonlyMap<Scenario, string>
  readonly told: ToldLog
}

type Reply = JsonReply & { readonly askedAt: number }
/** No data where there was no list. */
type List<Item> = { readonly data: readonly Item[] | undefined; readonly askedAt: number }
type WalletRow = { readonly payout_id: string | null; readonly transaction_id: string | null }
type EventRow = { readonly type: string; readonly data: ToldPayout }

/** The status in place of an answer that did not arrive. */
const lost = 0
const noReply = (): JsonReply => ({ status: lost, headers: new Headers(), json: undefined })

const amount = '1.00'
// Of ten orders seven are paid.
const scenarioMix = [
  ...Array.from({ length: 7 }, () => 'paid' as const),
  ...(['late', 'refused', 'no_liquidity'] as const),
]

export function tenantClient(options: TenantClientOptions): TenantClient {
  const { urls, apiKey, seed, random, contents, told } = options
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
  const reads = readsOf(ask, oneOf, told)
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
      const known = told.knows(id)
      const { status, json, askedAt } = await ask('POST', '/v1/payouts', order)
      if (status === lost || status >= 500) return 'uncertain'
      if (status === 201) {
        const payout = json as ToldPayout
        told.add('POST', payout, askedAt)
        return payout.status === 'processing' ? 'open' : 'ended'
      }
      const { code } = (json as { error: { code: string } }).error
      // A tenant has the quote, and pays nothing else with it.
      if (known || code !== 'QUOTE_EXPIRED') told.deny(id, `${status} ${code}`)
      return 'ended'
    },
    read: async (order) => oneOf(reads)?.(order),
  }
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>
type OneOf = <T>(items: readonly T[]) => T | undefined
type Read = (order: DescribedOrder) => Promise<void>

/** The ways in which a tenant reads of its payouts. */
function readsOf(ask: Ask, oneOf: OneOf, told: ToldLog): readonly Read[] {
  const list = async <Item>(path: string): Promise<List<Item>> => {
    const { status, json, askedAt } = await ask('GET', path)
    return { data: status === 200 ? (json as { data: Item[] }).data : undefined, askedAt }
  }
  const byOrder: Read = async ({ transaction_id: id }) => {
    const known = told.knows(id)
    const { data, askedAt } = await list<ToldPayout>(`/v1/payouts?transaction_id=${id}`)
    for (const payout of data ?? []) told.add('list', payout, askedAt)
    if (known && data?.length === 0) told.deny(id, 'an empty list')
  }
  const byId: Read = async () => {
    const known = oneOf([...told.payouts.values()])
    if (known === undefined) return
    const { status, json, askedAt } = await ask('GET', `/v1/payouts/${known.id}`)
    if (status === 200) told.add('GET', json as ToldPayout, askedAt)
    if (status === 404) told.deny(known.transactionId, `404 for ${known.id}`)
  }
  const newest: Read = async () => {
    const { data, askedAt } = await list<ToldPayout>('/v1/payouts?limit=20')
    for (const payout of data ?? []) told.add('list', payout, askedAt)
  }
  const movements: Read = async () => {
    const path = '/v1/wallets/transactions?type=payout&limit=20'
    const { data, askedAt } = await list<WalletRow>(path)
    for (const { payout_id: id, transaction_id } of data ?? []) {
      if (id === null || transaction_id === null) continue
      told.add('movement', { id, transaction_id, status: 'completed', error: null }, askedAt)
    }
  }
  const events: Read = async () => {
    const { data, askedAt } = await list<EventRow>('/v1/events?limit=20')
    for (const event of data ?? [])
      if (event.type.startsWith('payout.')) told.add('event', event.data, askedAt)
  }
  return [byOrder, byId, newest, movements, events]
}
