import { type PayoutRequest, type Quipu, quipu, QuipuConnectionError, QuipuError } from '@quipu/client'
import type { AnsweredPayout, AnswerLog } from '../agreement/answer-log.ts'

/** An order of a tenant, recorded before it is sent. */
export type Intent = {
  readonly tenantId: string
  readonly request: PayoutRequest & { readonly transaction_id: string }
  /** The amount in BOB for the merchant, and its price in USDT, as the quote says. */
  readonly amount: string
  readonly cost: string
  /** Its final status, or the code of its refusal; undefined while it is open. */
  ended: string | undefined
}

/** Counts of the tenants' HTTP requests by method and status; status 0 is a lost answer. */
export type AnswerCounts = Record<string, number>

type ClientOptions = {
  readonly apiKey: string
  /** Base URL of every API; each request goes to one of them. */
  readonly urls: readonly string[]
  readonly random: () => number
  readonly log: AnswerLog
  readonly counts: AnswerCounts
  readonly attemptTimeoutMs?: number
  /** Called with each answer: its path and status, and how long it took. */
  readonly onAnswer?: (path: string, status: number, ms: number) => void
}

/**
 * A tenant's program with the published client, behind a load balancer. Every payout in an answer is logged, and every
 * answer that denies a payout that an earlier one had.
 */
export function loggingClient({ apiKey, urls, attemptTimeoutMs = 25_000, ...use }: ClientOptions): Quipu {
  const { random, log, counts, onAnswer } = use
  const balanced: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input as string)
    const target = urls[Math.floor(random() * urls.length)] ?? ''
    const askedAt = performance.now()
    const method = init?.method ?? 'GET'
    const count = (status: number): void => {
      const key = `${method} ${status}`
      counts[key] = (counts[key] ?? 0) + 1
      onAnswer?.(url.pathname, status, performance.now() - askedAt)
    }
    const known = knownOf(url, init?.body, log)
    const response = await fetch(target + url.pathname + url.search, init).catch((error: unknown) => {
      count(0)
      throw error
    })
    count(response.status)
    const payouts = response.ok ? payoutsOf(url.pathname, await response.clone().text()) : []
    for (const payout of payouts) log.add(method, payout, askedAt)
    const isDenied = response.ok ? payouts.length === 0 : [400, 404, 409, 410, 422].includes(response.status)
    if (known !== undefined && isDenied) log.addDenial(known, `${response.status} to ${method} ${url.pathname}`)
    return response
  }
  return quipu({ apiKey, baseUrl: urls[0] ?? '', fetch: balanced, attemptTimeoutMs })
}

/** The `transaction_id` that a request is about, if an earlier answer had its payout. */
function knownOf({ pathname, searchParams }: URL, body: unknown, log: AnswerLog): string | undefined {
  const [, id = ''] = /^\/v1\/payouts\/(po_\w+)$/.exec(pathname) ?? []
  if (id !== '') return log.payouts.get(id)?.transactionId
  if (pathname !== '/v1/payouts') return undefined
  const sent = typeof body === 'string' ? (JSON.parse(body) as { transaction_id?: string }).transaction_id : undefined
  const transactionId = sent ?? searchParams.get('transaction_id') ?? ''
  return log.has(transactionId) ? transactionId : undefined
}

type Item = { readonly type?: string; readonly payout_id?: string | null; readonly data?: unknown }

/** The payouts in an answer of one of the endpoints that show them. */
function payoutsOf(pathname: string, text: string): readonly AnsweredPayout[] {
  const isOne = /^\/v1\/payouts\/po_\w+$/.test(pathname)
  if (!isOne && !['/v1/payouts', '/v1/events', '/v1/wallets/transactions'].includes(pathname)) return []
  const json = JSON.parse(text) as AnsweredPayout | { readonly data: readonly (AnsweredPayout & Item)[] }
  if (!('data' in json)) return [json]
  if (pathname === '/v1/payouts') return json.data
  if (pathname === '/v1/events')
    return json.data.flatMap(({ type, data }) => (type?.startsWith('payout.') ? [data as AnsweredPayout] : []))
  return json.data.flatMap(({ type, payout_id: id, transaction_id }) =>
    type === 'payout' && id ? [{ id, transaction_id, status: 'completed', error: null }] : [],
  )
}

/** Sends the order until it has ended, with the same body each time. */
export async function payUntilEnded(client: Quipu, intent: Intent, isOver: () => boolean): Promise<void> {
  while (intent.ended === undefined && !isOver()) {
    try {
      intent.ended = (await client.payouts.createAndWait(intent.request, { timeoutMs: 40_000 })).status
    } catch (error) {
      if (error instanceof QuipuConnectionError) continue
      if (!(error instanceof QuipuError)) throw error
      if (!error.uncertain && !error.retryable) intent.ended = error.code
    }
  }
}
