import { sha256 } from '../digest.ts'
import { compareMoney } from '../money.ts'
import type { QrNetwork, QrRead, QrRefused } from '../network/qr-network.ts'
import { readInTime } from '../network/read-in-time.ts'
import type { Quote } from '../quote/quote.ts'
import { isSandboxContent, type Resolution } from '../quote/resolution.ts'
import { alwaysAllowed, type StillAllowed } from '../tenant/authenticate.ts'
import type { Tenant } from '../tenant/tenant.ts'
import { type Deadline, deadlineIn } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { cancelPayout, type PayoutDraft, openPayout, rejectPayout } from './open-payout.ts'
import { type PayoutAnswer, type PayoutRefusal, refusePayout } from './payout-answer.ts'
import type { PayoutQr, PayoutStep, UnappliedCancelCode, UnappliedPayout } from './payout.ts'
import type { PayoutCommitResult, StoredPayout, PayoutStore, ReadConsistency } from './ports.ts'
import { recordPayoutStep } from './record-payout-step.ts'
import { repeatPayout } from './repeat-payout.ts'
import { type Lease, submitPayment, type SubmitPaymentPorts } from './submit-payment.ts'

/** A validated `POST /payouts` of type `qr`. @source spec §4 */
export type PayoutRequest = {
  readonly transactionId: string
  readonly quoteId: string
  readonly content: string
  readonly description: string | null
  /** Tells whether a repeated request has the same body. */
  readonly fingerprint: string
}

/** @param deadline  when the caller stops waiting; by itself `answerWithinMs` from the call on */
export type CreatePayout = (
  tenant: Tenant,
  request: PayoutRequest,
  stillAllowed?: StillAllowed,
  deadline?: Deadline,
) => Promise<PayoutAnswer>

export type CreatePayoutPorts = SubmitPaymentPorts & {
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
 * Finds the quote, reads the QR, applies (payout, quote and hold in one commit), pays with no
 * transaction open, and settles. A request that is repeated, at once or years later, gets the same
 * payout. After its deadline a request applies nothing and has the network pay nothing.
 *
 * @throws Unavailable when the outcome could not be confirmed: the same request is always safe
 * @source spec §4 POST /payouts, §3 Payout statuses
 */
export const createPayout =
  (ports: CreatePayoutPorts, settings: PayoutSettings): CreatePayout =>
  async (
    tenant,
    request,
    stillAllowed = alwaysAllowed,
    deadline = deadlineIn(settings.answerWithinMs, ports.monotonic),
  ) => {
    const { fingerprint } = request
    const { answerWithinMs, leaseSeconds } = settings
    const again = repeatPayout(ports, answerWithinMs, tenant, request, deadline)
    const found = await findQuote(ports.payouts, tenant, request)
    if (found.type === 'known') return again(found.known)
    if (found.type === 'refused') return found

    const { quote } = found
    const read = await readQr(ports, settings, request.content, found.resolution, deadline)
    if (!(await stillAllowed())) return refusePayout('AUTHENTICATION_FAILED')
    if (deadline.leftMs() <= 0) throw new Unavailable('store', 'no time was left to write anything')
    const decided = decide(ports, tenant, request, quote, read)
    if ('payout' in decided) return end(decided)

    const step = openPayout(decided.draft, {
      quote,
      qr: decided.qr,
      networkRef: decided.read.networkRef,
    })
    const write = { kind: 'apply', step, fingerprint, leaseSeconds, deadline } as const
    const sentAtMs = ports.monotonic()
    const applied = await ports.payouts.commit(write)
    // `Redated` is the result of payouts that end.
    if (applied === 'stale' || typeof applied === 'object') return readBack()
    if (applied !== 'committed') {
      return end(cancelPayout(decided.draft, decided.qr, codes[applied], ports.now()))
    }
    const order = {
      reference: step.payout.id,
      networkRef: decided.read.networkRef,
      content: request.content,
      amount: quote.target,
      description: describe(decided.read, request, settings),
    }
    const since = { deadline, sentAtMs }
    const payout = await submitPayment(ports, settings, step.payout, order, since)
    return payout ? { type: 'payout', payout, replayed: false } : readBack()

    async function end(ended: PayoutStep<UnappliedPayout>): Promise<PayoutAnswer> {
      const step = recordPayoutStep(ports, ended)
      const write = { kind: 'insert_ended', step, fingerprint, deadline } as const
      const committed = await ports.payouts.commit(write)
      if (committed === 'committed')
        return { type: 'payout', payout: ended.payout, replayed: false }
      if (typeof committed === 'string') return readBack()
      const payout = { ...ended.payout, endedAt: committed.redatedTo }
      return { type: 'payout', payout, replayed: false }
    }

    async function readBack(): Promise<PayoutAnswer> {
      const known = await ports.payouts.find(tenant.id, request.transactionId)
      if (!known) throw new Unavailable('store', 'payout not found on read-back')
      return again(known)
    }
  }

type Found =
  | { readonly type: 'open'; readonly quote: Quote; readonly resolution: Resolution | undefined }
  | { readonly type: 'known'; readonly known: StoredPayout }
  | PayoutRefusal

/**
 * The quote to pay at, or why there is none. A refusal comes from durable state: what the first reading
 * has seen may still be lost, and an equal request may have used this very quote.
 */
async function findQuote(
  payouts: PayoutStore,
  { id: tenantId }: Tenant,
  { transactionId, quoteId }: PayoutRequest,
): Promise<Found> {
  const find = async (reading: ReadConsistency): Promise<Found> => {
    const found = await payouts.findForCreate(tenantId, transactionId, quoteId, reading)
    const { stored, quote: view, resolution } = found
    if (stored) return { type: 'known', known: stored }
    if (!view) return refusePayout('QUOTE_NOT_FOUND')
    if (view.status === 'used') return refusePayout('QUOTE_ALREADY_USED', view.payoutId)
    if (view.status === 'expired') return refusePayout('QUOTE_EXPIRED')
    return { type: 'open', quote: view.quote, resolution }
  }
  const latest = await find('latest')
  return latest.type === 'refused' ? find('confirmed') : latest
}

const codes: Readonly<
  Record<Exclude<PayoutCommitResult, 'committed' | 'stale'>, UnappliedCancelCode>
> = {
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
  read: QrReading | QrRefused,
): PayoutStep<UnappliedPayout> | { draft: PayoutDraft; qr: PayoutQr; read: QrReading } {
  const createdAt = now()
  const draft: PayoutDraft = {
    id: ids.next('po', createdAt),
    tenantId: tenant.id,
    transactionId,
    quoteId: quote.id,
    resolutionId: quote.resolutionId,
    target: quote.target,
    createdAt,
  }
  if (read.type === 'refused_qr') return rejectPayout(draft, createdAt)
  const qr = { amountMode: read.amountMode, merchant: read.merchant }
  if (read.amount && compareMoney(read.amount, quote.target) !== 0) {
    return cancelPayout({ ...draft, target: read.amount }, qr, 'QUOTE_AMOUNT_MISMATCH', createdAt)
  }
  if (compareMoney(quote.target, tenant.pricing.paymentCap) > 0) {
    return cancelPayout(draft, qr, 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', createdAt)
  }
  return { draft, qr, read }
}

type QrReading = Pick<
  QrRead,
  'type' | 'networkRef' | 'amountMode' | 'amount' | 'merchant' | 'description'
>

/** Reads the QR now, unless the quote's own resolution of the same content is fresh enough. */
async function readQr(
  ports: Pick<CreatePayoutPorts, 'network' | 'timer' | 'now'>,
  settings: PayoutSettings,
  content: string,
  resolution: Resolution | undefined,
  deadline: Deadline,
): Promise<QrReading | QrRefused> {
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
  return readInTime(ports, content, deadline.leftMs())
}

/** The network takes a description only when the QR has none. @source spec §4 `description` */
const describe = (
  read: QrReading,
  request: PayoutRequest,
  settings: PayoutSettings,
): string | null =>
  read.description === null ? (request.description ?? settings.defaultDescription) : null
