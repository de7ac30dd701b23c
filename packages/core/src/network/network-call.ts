import type { Ids } from '../ids.ts'
import { toDecimal } from '../money.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Clock, Monotonic } from '../time.ts'
import type { NetworkAnswer, PaidAnswer } from './qr-network.ts'

/** A payout, by tenant and id. */
export type PayoutRef = { readonly tenantId: string; readonly payoutId: string }

/** Who queried the network: the request that accepted the payout, a worker, or an operator with the token's name. */
export type CallAuthor =
  | { readonly queriedBy: 'request' | 'worker'; readonly actor: null }
  | { readonly queriedBy: 'operator'; readonly actor: string }

/** The questions about a payment. */
export const networkCallKinds = ['pay', 'status', 'cancel'] as const
/** A question about a payment. */
export type NetworkCallKind = (typeof networkCallKinds)[number]

/** Every answer about a payment, `unknown` last. */
const answers: Readonly<Record<NetworkAnswer['type'], true>> = {
  paid: true,
  refused_payment: true,
  refused_qr: true,
  no_liquidity: true,
  limit: true,
  not_sent: true,
  cancelled: true,
  pending: true,
  not_seen: true,
  returned: true,
  unknown: true,
}
/** The answers about a payment, `unknown` last. */
export const networkAnswerTypes: readonly NetworkAnswer['type'][] = Object.keys(answers) as NetworkAnswer['type'][]

/** A question to the network about a payout, and its answer. */
export type NetworkCall = CallAuthor & {
  /** `nwc_` and a ULID. */
  readonly id: string
  readonly kind: NetworkCallKind
  /** When the network was queried. */
  readonly createdAt: Date
  /** At most 2³¹ − 1. */
  readonly durationMs: number
  readonly answer: NetworkAnswer['type']
  /** The amount and id of a payment, or why the outcome is unknown. At most `detailMax` characters. */
  readonly detail: string | null
}

/**
 * Stores the questions to the network about payouts that their own request did not settle, with the answers.
 * Append-only. Every method throws `Unavailable` when the database cannot be read or written.
 *
 * Calls without a final answer are stored by `PayoutStore.yieldClaim`, in the commit that ends the claim.
 */
export type NetworkCallStore = {
  /** Adds calls about a payout that was accepted. Idempotent by their ids. */
  record(payout: PayoutRef, calls: readonly NetworkCall[]): Promise<void>
  /** Newest first by (`createdAt`, `id`). */
  list(payout: PayoutRef, query: PageQuery): Promise<Page<NetworkCall>>
}

/** Begins to measure a call. The result makes its record, once the network has answered. */
export function startCall(
  { ids, now, monotonic }: { ids: Ids; now: Clock; monotonic: Monotonic },
  kind: NetworkCallKind,
  author: CallAuthor,
): (answer: NetworkAnswer) => NetworkCall {
  const createdAt = now()
  const startMs = monotonic()
  return (answer) => ({
    id: ids.next('nwc', createdAt),
    kind,
    ...author,
    createdAt,
    durationMs: Math.max(0, Math.round(monotonic() - startMs)),
    answer: answer.type,
    detail: detailOf(answer),
  })
}

/** The detail of a call that answered `paid`. */
export function paymentText({ amount, paymentId }: Omit<PaidAnswer, 'type'>): string {
  const paid = amount === null ? 'another currency' : `BOB ${toDecimal(amount)}`
  return paymentId === null ? paid : `${paid}, payment ${paymentId}`
}

const detailMax = 500

function detailOf(answer: NetworkAnswer): string | null {
  switch (answer.type) {
    case 'paid':
      return paymentText(answer)
    case 'not_sent':
    case 'unknown':
      return Array.from(answer.reason).slice(0, detailMax).join('')
    case 'pending':
    case 'cancelled':
    case 'limit':
    case 'no_liquidity':
    case 'not_seen':
    case 'refused_payment':
    case 'refused_qr':
    case 'returned':
      return null
  }
}
