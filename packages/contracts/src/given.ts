import { expect } from 'vitest'
import {
  type AuditEntry,
  type Author,
  type Bob,
  bob,
  cancel,
  type Claim,
  type Commit,
  type Draft,
  type EndedPayout,
  type FinalAnswer,
  type Ids,
  idSource,
  type NewEvent,
  open,
  ownerClaim,
  type Payout,
  price,
  type Price,
  type Pricing,
  type ProcessingPayout,
  type Quote,
  type RandomBytes,
  reject,
  type Resolution,
  settle,
  type Step,
  type Stores,
  type Tenant,
  type Timing,
  type UnappliedCancelCode,
  type Usdt,
  usdt,
} from '@quipu/core'
import { testBytes } from './encode-for-test.ts'

export type Apply = Extract<Commit, { kind: 'apply' }>
export type Refuse = Extract<Commit, { kind: 'refuse' }>
export type Settle = Extract<Commit, { kind: 'settle' }>

/** The instant that test data carries where the test does not care. */
export const someInstant: Date = new Date('2026-03-04T05:06:07.089Z')

/** An instant ahead of the stores' clocks: a store keeps it as the instant of a settlement. */
export const laterInstant: Date = new Date('2126-03-04T05:06:07.089Z')

export const someQr = {
  amountMode: 'closed',
  merchant: { name: 'Salteñas Doña Elvira', bankCode: '1016' },
} as const

export type QuoteWish = {
  readonly source?: Usdt
  readonly target?: Bob
  readonly lifeSeconds?: number
  readonly resolutionId?: string
}
export type ApplyWish = {
  readonly transactionId?: string
  readonly createdAt?: Date
  readonly leaseSeconds?: number
  readonly fingerprint?: string
}
export type RefuseWish = {
  readonly transactionId?: string
  readonly createdAt?: Date
  readonly fingerprint?: string
  /** `INSUFFICIENT_BALANCE` unless said otherwise; `QR_REFUSED` is a rejection. */
  readonly code?: UnappliedCancelCode | 'QR_REFUSED'
  readonly at?: Date
}
export type SettleWish = { readonly claim?: Claim; readonly timing?: Timing; readonly at?: Date }

/** Test data: what is stored (`new…`, `applied`) and what a test stores itself (`…ing`). */
export type Given = {
  readonly ids: Ids
  newTenant(over?: Partial<Tenant>): Promise<Tenant>
  /** A new tenant's id, with this much available. */
  newWallet(available: Usdt): Promise<string>
  newQuote(tenantId: string, wish?: QuoteWish): Promise<Quote>
  newResolution(tenantId: string): Promise<Resolution>
  /** The write that opens a new payout at this quote. */
  applying(quote: Quote, wish?: ApplyWish): Apply
  /** The write of a new payout that ended before it was applied. */
  refusing(quote: Quote, wish?: RefuseWish): Refuse
  /** The write that ends the payout with this answer, by its owner unless said otherwise. */
  settling(payout: ProcessingPayout, answer: FinalAnswer, wish?: SettleWish): Settle
  /** A payout in `processing`, opened at this quote. */
  applied(quote: Quote, wish?: ApplyWish): Promise<ProcessingPayout>
}

/** @param random  makes the ids; another one for each of several processes on one database */
export function given(
  { tenants, wallets, quotes, resolutions, payouts }: Stores,
  random: RandomBytes = counter(),
): Given {
  const ids = idSource(random)
  const newTenant = async (over: Partial<Tenant> = {}): Promise<Tenant> => {
    const tenant = { ...someTenant, id: ids.next('ten', someInstant), ...over }
    await tenants.create(tenant, ids.next('wal', someInstant), 'ana')
    return tenant
  }
  const applying = (quote: Quote, wish: ApplyWish = {}): Apply => {
    const networkRef = `nr-${quote.id}`
    const draft = draftOf(quote, ids.next('po', wish.createdAt ?? someInstant), wish)
    return {
      kind: 'apply',
      step: open(draft, { quote, qr: someQr, networkRef }),
      fingerprint: wish.fingerprint ?? 'v1:body',
      leaseSeconds: wish.leaseSeconds ?? 15,
    }
  }
  return {
    ids,
    newTenant,
    applying,
    newWallet: async (available) => {
      const { id: tenantId } = await newTenant()
      if (available.minor > 0n) {
        const id = ids.uuid(someInstant)
        const funds = { id, tenantId, direction: 'in', reason: 'funds', actor: 'test' } as const
        expect(await wallets.adjust({ ...funds, amount: available })).toBe('committed')
      }
      return tenantId
    },
    newQuote: async (tenantId, { lifeSeconds = 60, resolutionId = null, ...wish } = {}) => {
      const { pricing = someTenant.pricing } = (await tenants.find(tenantId)) ?? {}
      const about = { id: ids.uuid(someInstant), tenantId, resolutionId, rateSource: 'fixed' }
      return quotes.insert({ ...about, ...priced(wish, pricing) }, lifeSeconds)
    },
    newResolution: async (tenantId) => {
      const resolution = { ...someResolution, id: ids.next('qrr', someInstant), tenantId }
      await resolutions.insert(resolution)
      return resolution
    },
    refusing: (quote, wish = {}) => {
      const { code = 'INSUFFICIENT_BALANCE', at = laterInstant } = wish
      const draft = draftOf(quote, ids.next('po', wish.createdAt ?? someInstant), wish)
      const step = code === 'QR_REFUSED' ? reject(draft, at) : cancel(draft, someQr, code, at)
      const fingerprint = wish.fingerprint ?? 'v1:body'
      return { kind: 'refuse', step, fingerprint, event: eventOf(step, ids) }
    },
    settling: (payout, answer, wish = {}) => {
      const step = settle(payout, answer, wish.timing ?? 'in_time', wish.at ?? laterInstant)
      const claim = wish.claim ?? ownerClaim(payout)
      return { kind: 'settle', step, claim, event: eventOf(step, ids) }
    },
    applied: async (quote, wish) => {
      const write = applying(quote, wish)
      expect(await payouts.commit(write)).toBe('committed')
      return write.step.payout
    },
  }
}

/** An answer that means: the merchant has the money of this payout. */
export const paid = (payout: Pick<Payout, 'target'>): FinalAnswer => ({
  type: 'paid',
  amount: payout.target,
  paymentId: 'np-1',
})

/** An operator. */
export const ana: Author = { actor: 'ana', at: someInstant }

/** An audit entry about this subject. */
export const auditOf = (subject: string, over: Partial<AuditEntry> = {}): AuditEntry => ({
  actor: 'ana',
  action: 'tenant.create',
  tenantId: null,
  subject,
  at: someInstant,
  before: null,
  after: { status: 'active' },
  ...over,
})

/** The event that the step publishes. */
export function eventOf(step: Step<EndedPayout>, ids: Ids): NewEvent | null {
  const effect = step.effects.find((each) => each.type === 'publish')
  const { payout } = step
  return effect === undefined ? null : eventAbout(payout, effect.event, ids, payout.endedAt)
}

/** An event. One of a pending deposit is recorded a millisecond after it occurred, others when they occur. */
export function eventAbout(
  { id: subjectId, tenantId }: { readonly id: string; readonly tenantId: string },
  type: NewEvent['type'],
  ids: Ids,
  occurredAt: Date = someInstant,
): NewEvent {
  const recordedAt = new Date(occurredAt.getTime() + (type === 'deposit.pending' ? 1 : 0))
  const event = { id: ids.uuid(recordedAt), type, occurredAt, recordedAt }
  const isSettled = type === 'payout.completed' || type === 'deposit.credited'
  const settledAt = isSettled ? occurredAt : null
  return { ...event, tenantId, subjectId, ...testBytes({ ...event, settledAt }) }
}

const someTenant: Omit<Tenant, 'id'> = {
  legalName: 'Pagos del Sur S.R.L.',
  technicalContact: { name: 'Rosa Quispe', email: 'rosa@pagos.example' },
  status: 'active',
  pricing: { marginBps: 150, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(5_000_000n) },
  createdAt: someInstant,
  revision: 1,
}

/**
 * The tenant's price of the target, at a bid that makes it cost the source that is wished for. Where no
 * bid does, of another target.
 */
function priced({ source, target }: QuoteWish, pricing: Pricing) {
  if (!source) return { ...priceAt(target ?? someTarget, 99_500n, pricing), bid: 99_500n }
  // At one centavo for each micro-USDT every amount has its bid.
  for (const each of target ? [target] : [someTarget, bob(source.minor)]) {
    const bid = bidFor(each, source, pricing)
    const price = priceAt(each, bid, pricing)
    if (price.source.minor === source.minor) return { ...price, bid }
  }
  throw new Error(`no bid makes ${target?.minor} centavos cost ${source.minor} micro-USDT`)
}

const someTarget = bob(10_000n)

function priceAt(target: Bob, bid: bigint, pricing: Pricing): Price {
  const priced = price(target, bid, pricing)
  if (typeof priced === 'string') throw new Error(`${target.minor} centavos: ${priced}`)
  return priced
}

/** The lowest bid at which a tenant without fees pays no more than the source. */
function bidFor(target: Bob, source: Usdt, { marginBps }: Pricing): bigint {
  const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
  const rate = ceilDivide(target.minor * 10n ** 8n, source.minor)
  return ceilDivide(rate * 10_000n, BigInt(10_000 - marginBps))
}

const someResolution: Omit<Resolution, 'id' | 'tenantId'> = {
  ...someQr,
  networkRef: '123456789012345678',
  amount: bob(10_000n),
  description: 'Salteñas',
  expiresAt: null,
  contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  createdAt: someInstant,
}

const draftOf = (quote: Quote, id: string, wish: ApplyWish): Draft => ({
  id,
  tenantId: quote.tenantId,
  transactionId: wish.transactionId ?? `tx:${id}`,
  quoteId: quote.id,
  resolutionId: quote.resolutionId,
  target: quote.target,
  createdAt: wish.createdAt ?? someInstant,
})

/** Counts instead of drawing lots, so that ids differ and a failing test fails the same way again. */
export function counter(): RandomBytes {
  let count = 0
  return (size) => {
    const bytes = new Uint8Array(size)
    new DataView(bytes.buffer).setUint32(size - 4, ++count)
    return bytes
  }
}
