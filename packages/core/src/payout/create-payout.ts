import type { RaiseAlert } from '../alert.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { EncodeEventOf } from '../event/event.ts'
import type { PayoutEvent, PayoutDraft, PayoutQr, PayoutStep, DeclineCode, DeclinedPayout } from './payout.ts'
import type { Ids } from '../ids.ts'
import { compareMoney } from '../money.ts'
import { cancels, type PaymentOrder, type QrNetwork, type QrRefused } from '../network/qr-network.ts'
import type { Quote } from '../quote/quote.ts'
import type { Tenant } from '../tenant/tenant.ts'
import { type Clock, type Deadline, deadlineIn, type Monotonic, type Timer } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { cancelPayout, openPayout, rejectPayout } from './open-payout.ts'
import {
  type PayoutAnswer,
  type PayoutRequest,
  type PayoutSettings,
  payoutSettingsShape,
  refusePayout,
  type PayoutRefusal,
} from './payout-request.ts'
import type { PayoutCommitResult, PayoutStore, ReadConsistency, StoredPayout } from './ports.ts'
import { recordPayoutStep } from './record-payout-step.ts'
import { isSameQr, type QrReading, readQr } from './read-qr.ts'
import type { Screen } from '../screening/screen.ts'
import { screenReading } from '../network/screen-reading.ts'
import { repeatPayout } from './repeat-payout.ts'
import { submitPayment } from './submit-payment.ts'
import { checkSettings } from '../check-settings.ts'
import type { Resolution } from '../quote/resolution.ts'

/**
 * Handles one payout request.
 *
 * @param deadline  when the caller stops waiting; by default `answerWithinMs` from the call on
 */
export type CreatePayout = (tenant: Tenant, request: PayoutRequest, deadline?: Deadline) => Promise<PayoutAnswer>

/** The ports of `createPayout`. */
export type CreatePayoutPorts = {
  readonly payouts: Pick<
    PayoutStore,
    'findForCreate' | 'find' | 'get' | 'commit' | 'renew' | 'markOrdered' | 'yieldClaim'
  >
  readonly network: Pick<QrNetwork, 'capabilities' | 'readQr' | 'pay'>
  /** Screens merchants; nobody does when it is left out. */
  readonly screen?: Screen
  readonly encodeEvent: EncodeEventOf<PayoutEvent>
  readonly ids: Ids
  readonly now: Clock
  readonly monotonic: Monotonic
  readonly timer: Timer
  readonly raiseAlert: RaiseAlert
  readonly differences: Pick<DifferenceStore, 'record'>
  /** Takes work that goes on after the answer; a host awaits it before it stops. Must not throw. */
  readonly inBackground: (work: Promise<unknown>) => void
}

type Call = {
  readonly ports: CreatePayoutPorts
  readonly settings: PayoutSettings
  readonly tenant: Tenant
  readonly request: PayoutRequest
  readonly deadline: Deadline
}

/**
 * Pays a merchant at an accepted quote: at most one payment for one `transaction_id`.
 *
 * Finds the quote, reads the QR, accepts (payout, quote and hold in one commit), pays with no
 * transaction open, and settles. A repeated request, concurrent or years later, gets the same payout.
 * After its deadline a request neither accepts nor pays.
 *
 * @throws Unavailable when the outcome could not be confirmed: the same request is always safe
 * @source spec §4 POST /payouts, §3 Payout statuses
 * @example
 * ```ts
 * const quoted = await createQuote(ports, { lifeSeconds: 60 })(tenant, { target: qr.amount, resolutionId: null })
 * if (quoted.type === 'refused') throw new Error(quoted.code)
 * const pay = createPayout(ports, defaultPayoutSettings)
 * const order = { transactionId: 'order-1', quoteId: quoted.quote.id, content: qr.content }
 * const request = { ...order, description: null, fingerprint: 'digest of the body' }
 * const answer = await pay(tenant, request)
 * console.log(answer.type === 'payout' && answer.payout.status) // completed
 * const repeated = await pay(tenant, request)
 * console.log(repeated.type === 'payout' && repeated.replayed) // true
 * ```
 */
export function createPayout(ports: CreatePayoutPorts, settings: PayoutSettings): CreatePayout {
  checkSettings('createPayout', settings, payoutSettingsShape)
  return async (tenant, request, deadline = deadlineIn(settings.answerWithinMs, ports.monotonic)) => {
    if (tenant.status !== 'active') return refusePayout('AUTHENTICATION_FAILED')
    const call: Call = { ports, settings, tenant, request, deadline }
    const found = await findQuote(ports.payouts, tenant, request)
    if (found.type === 'stored') return repeatPayout(call, found.stored)
    if (found.type === 'refused') return found

    const read = await readQr(ports, settings, request.content, found.resolution, deadline)
    const screened = screenReading(ports.screen, tenant.id, read)
    const reading = screened instanceof Promise ? await screened : screened
    if (deadline.leftMs() <= 0) throw new Unavailable('store', 'no time was left to write anything')
    const decided = decide(call, found, reading)
    return 'payout' in decided ? insertEnded(call, decided) : accept(call, found.quote, decided)
  }
}

/** A request that can be accepted. */
type Payable = { readonly draft: PayoutDraft; readonly qr: PayoutQr; readonly reading: QrReading }

/** @returns the step of a payout that ends before it is accepted, or what to accept */
function decide(
  { ports: { ids, now }, tenant, request }: Call,
  { quote, resolution }: Pick<OpenQuote, 'quote' | 'resolution'>,
  reading: QrReading | QrRefused,
): PayoutStep<DeclinedPayout> | Payable {
  const createdAt = now()
  const draft: PayoutDraft = {
    id: ids.next('po', createdAt),
    tenantId: tenant.id,
    transactionId: request.transactionId,
    quoteId: quote.id,
    resolutionId: quote.resolutionId,
    keyId: request.keyId ?? null,
    target: quote.target,
    createdAt,
    description: request.description ?? undefined,
    metadata: request.metadata,
  }
  if (reading.type === 'refused_qr') return rejectPayout(draft, createdAt, request.content)
  const qr = { amountMode: reading.amountMode, merchant: reading.merchant }
  if (reading.amount && compareMoney(reading.amount, quote.target) !== 0) {
    const actual = { ...draft, target: reading.amount }
    return cancelPayout(actual, qr, 'QUOTE_AMOUNT_MISMATCH', createdAt)
  }
  if (resolution && !isSameQr(resolution, request.content, reading))
    return cancelPayout(draft, qr, 'QUOTE_RESOLUTION_MISMATCH', createdAt)
  if (compareMoney(quote.target, tenant.pricing.paymentCap) > 0) {
    return cancelPayout(draft, qr, 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', createdAt)
  }
  return { draft, qr, reading }
}

/** Accepts the payout and submits its payment. */
async function accept(call: Call, quote: Quote, { draft, qr, reading }: Payable): Promise<PayoutAnswer> {
  const { ports, settings, request, deadline } = call
  const step = openPayout(draft, { quote, qr, networkRef: reading.networkRef })
  const { fingerprint } = request
  const { leaseSeconds } = settings
  const mark = cancels(ports.network) ? {} : { marksOrder: true as const }
  const write = { kind: 'accept', step, fingerprint, leaseSeconds, deadline, ...mark } as const
  const sentAtMs = ports.monotonic()
  const accepted = await ports.payouts.commit(write)
  // Only the commit of an ended payout is redated: `accept` never answers an object.
  if (accepted === 'stale' || typeof accepted === 'object') return readBack(call)
  if (accepted === 'not_allowed') return refusePayout('AUTHENTICATION_FAILED')
  if (accepted !== 'committed') return insertEnded(call, cancelPayout(draft, qr, codes[accepted], ports.now()))

  const order = orderOf(step.payout.id, quote, reading, call)
  const payout = await submitPayment(ports, settings, step.payout, order, { deadline, sentAtMs })
  return payout ? { type: 'payout', payout, replayed: false } : readBack(call)
}

const codes: Readonly<Record<Exclude<PayoutCommitResult, 'committed' | 'stale' | 'not_allowed'>, DeclineCode>> = {
  quote_used: 'QUOTE_ALREADY_USED',
  quote_expired: 'QUOTE_EXPIRED',
  above_cap: 'AMOUNT_EXCEEDS_PROVIDER_LIMIT',
  daily_limit_exceeded: 'DAILY_LIMIT_EXCEEDED',
  insufficient_balance: 'INSUFFICIENT_BALANCE',
}

/** The network takes a description only when the QR has none. @source spec §4 `description` */
const orderOf = (
  reference: string,
  quote: Quote,
  { networkRef, amountMode, description }: QrReading,
  { request, settings }: Call,
): PaymentOrder => ({
  reference,
  networkRef,
  content: request.content,
  amountMode,
  amount: quote.target,
  description: description === null ? (request.description ?? settings.defaultDescription) : null,
})

async function insertEnded(call: Call, ended: PayoutStep<DeclinedPayout>): Promise<PayoutAnswer> {
  const { ports, request, deadline } = call
  const step = recordPayoutStep(ports, ended)
  const { fingerprint } = request
  const write = { kind: 'insert_ended', step, fingerprint, deadline } as const
  const committed = await ports.payouts.commit(write)
  if (committed === 'committed') return { type: 'payout', payout: ended.payout, replayed: false }
  if (committed === 'not_allowed') return refusePayout('AUTHENTICATION_FAILED')
  if (typeof committed === 'string') return readBack(call)
  const payout = { ...ended.payout, endedAt: committed.redatedTo }
  return { type: 'payout', payout, replayed: false }
}

/** Another request has inserted a payout with this `transaction_id`: answer with that one. */
async function readBack(call: Call): Promise<PayoutAnswer> {
  const { ports, tenant, request } = call
  const stored = await ports.payouts.find(tenant.id, request.transactionId)
  if (!stored) throw new Unavailable('store', 'payout not found on read-back')
  return repeatPayout(call, stored)
}

/** An open quote, with the resolution that it names. */
type OpenQuote = { readonly type: 'open'; readonly quote: Quote; readonly resolution: Resolution | undefined }

type FoundQuote = OpenQuote | { readonly type: 'stored'; readonly stored: StoredPayout } | PayoutRefusal

/**
 * Finds the quote to pay at, or the payout that already has the `transaction_id`.
 *
 * Before a refusal a second, confirmed reading decides: the rows of the first one may still be lost, and
 * an equal request may have used this very quote.
 */
async function findQuote(
  payouts: Pick<PayoutStore, 'findForCreate'>,
  { id: tenantId }: Tenant,
  { transactionId, quoteId }: { readonly transactionId: string; readonly quoteId: string },
): Promise<FoundQuote> {
  const find = async (consistency: ReadConsistency): Promise<FoundQuote> => {
    const found = await payouts.findForCreate(tenantId, transactionId, quoteId, consistency)
    const { stored, quote: view, resolution } = found
    if (stored) return { type: 'stored', stored }
    if (!view) return refusePayout('QUOTE_NOT_FOUND')
    if (view.status === 'used') return refusePayout('QUOTE_ALREADY_USED', view.payoutId)
    if (view.status === 'expired') return refusePayout('QUOTE_EXPIRED')
    return { type: 'open', quote: view.quote, resolution }
  }
  const latest = await find('latest')
  return latest.type === 'refused' ? find('confirmed') : latest
}
