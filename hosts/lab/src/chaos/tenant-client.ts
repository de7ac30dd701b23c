import { type PayoutRequest, type Quipu, quipu, QuipuConnectionError, QuipuError } from '@quipu/client'
import type { AnsweredPayout, AnswerLog } from '../agreement/answer-log.ts'

/** An order of a tenant, recorded before it is sent. */
export type Intent = {
  readonly tenantId: string
  readonly request: PayoutRequest & { readonly transaction_id: string }
  /** What the merchant must get in BOB, and what it costs in USDT, as the quote says. */
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
}

/** A tenant's program with the published client, behind a load balancer. Every payout in an answer is logged. */
export function loggingClient({ apiKey, urls, attemptTimeoutMs = 25_000, ...use }: ClientOptions): Quipu {
  const { random, log, counts } = use
  const balanced: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input as string)
    const target = urls[Math.floor(random() * urls.length)] ?? ''
    const askedAt = performance.now()
    const method = init?.method ?? 'GET'
    const count = (status: number): void => {
      const key = `${method} ${status}`
      counts[key] = (counts[key] ?? 0) + 1
    }
    const response = await fetch(target + url.pathname + url.search, init).catch((error: unknown) => {
      count(0)
      throw error
    })
    count(response.status)
    if (response.ok && /^\/v1\/payouts(?:\/po_\w+)?$/.test(url.pathname)) {
      const text = await response.clone().text()
      for (const payout of payoutsOf(text)) log.add(method, payout, askedAt)
    }
    return response
  }
  return quipu({ apiKey, baseUrl: urls[0] ?? '', fetch: balanced, attemptTimeoutMs })
}

function payoutsOf(text: string): readonly AnsweredPayout[] {
  const json = JSON.parse(text) as AnsweredPayout | { readonly data: readonly AnsweredPayout[] }
  return 'data' in json ? json.data : [json]
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
