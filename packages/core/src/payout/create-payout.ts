import { sha256 } from '../digest.ts'
import { compare } from '../money.ts'
import type { QrNetwork, QrRead, QrRefused } from '../network/qr-network.ts'
import { readInTime } from '../network/read-in-time.ts'
import type { Quote, QuoteView } from '../quote/quote.ts'
import { isSandboxContent, type Resolution } from '../quote/resolution.ts'
import { alwaysAllowed, type StillAllowed } from '../tenant/authenticate.ts'
import type { Tenant } from '../tenant/tenant.ts'
import { Unavailable } from '../unavailable.ts'
import { attempt, type AttemptPorts, type Lease } from './attempt.ts'
import { recordStep } from './conclude.ts'
import { cancel, type Draft, open, reject } from './open.ts'
import type { Payout, PayoutQr, Step, UnappliedCancelCode, UnappliedPayout } from './payout.ts'
import type { Committed, Known, PayoutStore } from './ports.ts'

/** A validated `POST /payouts` of type `qr`. @source spec §4 */
export type PayoutRequest = {
  readonly transactionId: string
  readonly quoteId: string
  readonly content: string
  readonly description: string | null
  /** Tells whether a repeated request has the same body. */
  readonly fingerprint: string
}

/** Nothing was written and the `transaction_id` stays free, unless a payout is named. @source spec §7 */
export type PayoutRefusal = {
  readonly type: 'refused'
  readonly code:
    | 'QUOTE_NOT_FOUND'
    | 'QUOTE_EXPIRED'
    | 'QUOTE_ALREADY_USED'
    | 'TRANSACTION_ID_REUSED'
    /** The caller was no longer allowed when the payout was about to be applied. */
    | 'AUTHENTICATION_FAILED'
  /** The same tenant's payout that has the `transaction_id` or the quote. */
  readonly payoutId: string | null
}

export type PayoutAnswer =
  | { readonly type: 'payout'; readonly payout: Payout; readonly replayed: boolean }
  | PayoutRefusal

export type CreatePayout = (
  tenant: Tenant,
  request: PayoutRequest,
  stillAllowed?: StillAllowed,
) => Promise<PayoutAnswer>

export type CreatePayoutPorts = AttemptPorts & {
  readonly payouts: PayoutStore
  readonly network: Pick<QrNetwork, 'readQr' | 'pay'>
}

export type PayoutSettings = Lease & {
  readonly environment: 'sandbox' | 'production'
  /** An answer goes out by then, with `processing` if need be. */
  readonly answerWithinMs: number
  /** How long a resolution may stand in for reading the QR again. */
  readonly resolutionFreshSeconds: number
  /** Sent when neither the QR nor the request describes the payment: the network demands it. */
  readonly defaultDescription: string
}

/** @source assumed */
export const defaultPayoutSettings: PayoutSettings = {
  environment: 'sandbox',
  answerWithinMs: 20_000,
  leaseSeconds: 15,
  renewEveryMs: 5_000,
  resolutionFreshSeconds: 60,
  defaultDescription: 'Pago QR',
}

/**
 * Pays a merchant at an accepted quote: one payment for one `transaction_id`, whatever happens.
 *
 * Looks, reads the QR, applies (payout, quote and hold in one commit), pays with no transaction
 * open, and settles. A request that is repeated, at once or years later, gets the same payout.
 *
 * @throws Unavailable when the outcome could not be confirmed: the same request is always safe
 * @source spec §4 POST /payouts, §3 Payout statuses
 */
export const createPayout =
  (ports: CreatePayoutPorts, settings: PayoutSettings): CreatePayout =>
  async (tenant, request, stillAllowed = alwaysAllowed) => {
    const answerBy = new Date(ports.now().getTime() + settings.answerWithinMs)
    const again = repeat(ports, settings, tenant, request)
    const look = await ports.payouts.look(tenant.id, request.transactionId, request.quoteId)
    if (look.known) return again(look.known)
    const refusal = refusalOf(look.quote)
    if (refusal || !look.quote) {
      // An equal request may have used this very quote since the first look.
      const known = await ports.payouts.find(tenant.id, request.transactionId)
      return known ? again(known) : (refusal ?? refuse('QUOTE_NOT_FOUND'))
    }

    const { quote } = look.quote
    const read = await readQr(ports, settings, request.content, look.resolution, answerBy)
    if (!(await stillAllowed())) return refuse('AUTHENTICATION_FAILED')
    const decided = decide(ports, tenant, request, quote, read)
    if ('effects' in decided) return end(decided)

    const step = open(decided.draft, { quote, qr: decided.qr, networkRef: decided.read.networkRef })
    const { fingerprint } = request
    const { leaseSeconds } = settings
    const applied = await ports.payouts.commit({ kind: 'apply', step, fingerprint, leaseSeconds })
    if (applied === 'stale') return readBack()
    if (applied !== 'committed') {
      return end(cancel(decided.draft, decided.qr, codes[applied], ports.now()))
    }
    const order = {
      reference: step.payout.id,
      networkRef: decided.read.networkRef,
      content: request.content,
      amount: quote.target,
      description: describe(decided.read, request, settings),
    }
    const payout = await attempt(ports, settings, step.payout, order, answerBy)
    return { type: 'payout', payout, replayed: false }

    async function end(ended: Step<UnappliedPayout>): Promise<PayoutAnswer> {
      const event = recordStep(ports, ended)
      const write = {
        kind: 'refuse',
        step: ended,
        fingerprint: request.fingerprint,
        event,
      } as const
      return (await ports.payouts.commit(write)) === 'committed'
        ? { type: 'payout', payout: ended.payout, replayed: false }
        : readBack()
    }

    async function readBack(): Promise<PayoutAnswer> {
      const known = await ports.payouts.find(tenant.id, request.transactionId)
      if (!known) throw new Unavailable('store', 'a payout that was just there cannot be found')
      return again(known)
    }
  }

const codes: Readonly<Record<Exclude<Committed, 'committed' | 'stale'>, UnappliedCancelCode>> = {
  quote_used: 'QUOTE_ALREADY_USED',
  quote_expired: 'QUOTE_EXPIRED',
  insufficient_balance: 'INSUFFICIENT_BALANCE',
}

/** Ends the payout before it is applied, or says what is to be applied. */
function decide(
  { ids, now }: Pick<CreatePayoutPorts, 'ids' | 'now'>,
  tenant: Tenant,
  { transactionId }: PayoutRequest,
  quote: Quote,
  read: Reading | QrRefused,
): Step<UnappliedPayout> | { draft: Draft; qr: PayoutQr; read: Reading } {
  const createdAt = now()
  const draft: Draft = {
    id: ids.next('po', createdAt),
    tenantId: tenant.id,
    transactionId,
    quoteId: quote.id,
    resolutionId: quote.resolutionId,
    target: quote.target,
    createdAt,
  }
  if (read.type === 'refused_qr') return reject(draft, createdAt)
  const qr = { amountMode: read.amountMode, merchant: read.merchant }
  if (read.amount && compare(read.amount, quote.target) !== 0) {
    return cancel({ ...draft, target: read.amount }, qr, 'QUOTE_AMOUNT_MISMATCH', createdAt)
  }
  if (compare(quote.target, tenant.pricing.paymentCap) > 0) {
    return cancel(draft, qr, 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', createdAt)
  }
  return { draft, qr, read }
}

type Reading = Pick<
  QrRead,
  'type' | 'networkRef' | 'amountMode' | 'amount' | 'merchant' | 'description'
>

/** Reads the QR now, unless the quote's own resolution of the same content is fresh enough. */
async function readQr(
  ports: Pick<CreatePayoutPorts, 'network' | 'timer' | 'now'>,
  settings: PayoutSettings,
  content: string,
  resolution: Resolution | undefined,
  answerBy: Date,
): Promise<Reading | QrRefused> {
  if (settings.environment === 'production' && isSandboxContent(content)) {
    return { type: 'refused_qr', reason: 'a sandbox QR in production' }
  }
  const now = ports.now().getTime()
  const freshSince = now - settings.resolutionFreshSeconds * 1000
  const isFresh =
    resolution &&
    resolution.createdAt.getTime() >= freshSince &&
    (resolution.expiresAt === null || resolution.expiresAt.getTime() > now) &&
    resolution.contentHash === sha256(content)
  if (isFresh) return { ...resolution, type: 'read' }
  return readInTime(ports, content, answerBy.getTime() - now)
}

/** The network takes a description only when the QR has none. @source spec §4 `description` */
const describe = (read: Reading, request: PayoutRequest, settings: PayoutSettings): string | null =>
  read.description === null ? (request.description ?? settings.defaultDescription) : null

const refuse = (code: PayoutRefusal['code'], payoutId: string | null = null): PayoutRefusal => ({
  type: 'refused',
  code,
  payoutId,
})

function refusalOf(quote: QuoteView | undefined): PayoutRefusal | undefined {
  if (!quote) return refuse('QUOTE_NOT_FOUND')
  if (quote.status === 'used') return refuse('QUOTE_ALREADY_USED', quote.payoutId)
  return quote.status === 'expired' ? refuse('QUOTE_EXPIRED') : undefined
}

/**
 * Answers a repeated request with the payout as it is now.
 *
 * While the first request is still at it (its lease lives and its time to answer has not passed),
 * the second waits for the same outcome.
 */
const repeat =
  (
    { payouts, now, timer }: Pick<CreatePayoutPorts, 'payouts' | 'now' | 'timer'>,
    { answerWithinMs }: PayoutSettings,
    tenant: Tenant,
    { transactionId, fingerprint }: PayoutRequest,
  ) =>
  async (first: Known): Promise<PayoutAnswer> => {
    if (first.fingerprint !== fingerprint) return refuse('TRANSACTION_ID_REUSED', first.payout.id)
    let known = first
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 250)) {
      const { payout, leased } = known
      const left = payout.createdAt.getTime() + answerWithinMs - now().getTime()
      if (payout.status !== 'processing' || !leased || left <= 0) {
        return { type: 'payout', payout, replayed: true }
      }
      await timer(Math.min(pauseMs, left)).done
      known = (await payouts.find(tenant.id, transactionId)) ?? known
    }
  }
