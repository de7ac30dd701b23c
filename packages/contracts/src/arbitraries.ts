import fc from 'fast-check'
import {
  type ApiKey,
  type Bob,
  bob,
  type Draft,
  type FinalAnswer,
  type KeyKind,
  MAX_MINOR,
  type Merchant,
  messages,
  type NetworkAnswer,
  type PayoutErrorCode,
  type PayoutQr,
  price,
  type Price,
  type Pricing,
  type ProcessingPayout,
  type QrRead,
  type Quote,
  type QuoteDraft,
  type Rate,
  type Resolution,
  type SandboxQrRequest,
  sandboxScenarios,
  scopes,
  sha256,
  type Tenant,
  type Usdt,
  usdt,
} from '@quipu/core'

/** Any Unicode text that the API lets in: no NUL, no lone surrogate. */
export const anyText: fc.Arbitrary<string> = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((text) => !text.includes('\u0000'))

/** Whole milliseconds, in every month of many years. */
export const anyInstant: fc.Arbitrary<Date> = fc.date({
  min: new Date('2020-01-01T00:00:00.000Z'),
  max: new Date('2099-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

/** From one minor unit to the most that a ledger row can carry, small amounts as often as large. */
export const anyMinor: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 1n, max: 100n }),
  fc.bigInt({ min: 1n, max: 10n ** 12n }),
  fc.bigInt({ min: 1n, max: MAX_MINOR }),
  fc.constant(MAX_MINOR),
)
export const anyUsdt: fc.Arbitrary<Usdt> = anyMinor.map(usdt)
export const anyBob: fc.Arbitrary<Bob> = anyMinor.map(bob)
/** 0.0001 to 999999.9999 BOB per USDT. */
export const anyRate: fc.Arbitrary<Rate> = fc.bigInt({ min: 1n, max: 10n ** 10n - 1n })

const ulid = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
/** An id of this kind. */
export const anyId = (prefix: string): fc.Arbitrary<string> =>
  ulid.map((text) => `${prefix}_${text}`)
export const anyUuid: fc.Arbitrary<string> = fc.uuid({ version: 7 })

/** @source spec §4: 1 to 100 characters from A-Z a-z 0-9 . _ : - */
export const anyTransactionId: fc.Arbitrary<string> = fc.stringMatching(/^[A-Za-z0-9._:-]{1,100}$/)

export const anyPricing: fc.Arbitrary<Pricing> = fc.record({
  marginBps: fc.integer({ min: 0, max: 5000 }),
  feeBps: fc.integer({ min: 0, max: 5000 }),
  feeFixed: fc.oneof(fc.constant(usdt(0n)), anyUsdt),
  paymentCap: anyBob,
})

export const anyTenant: fc.Arbitrary<Tenant> = fc.record({
  id: anyId('ten'),
  legalName: anyText,
  technicalContact: fc.record({ name: anyText, email: fc.emailAddress() }),
  status: fc.constantFrom('active', 'suspended'),
  pricing: anyPricing,
  createdAt: anyInstant,
  revision: fc.constant(1),
})

/** A key of this tenant's, usable or not. */
export const anyApiKey = (tenantId: string): fc.Arbitrary<ApiKey> =>
  fc
    .record({
      id: anyId('key'),
      name: anyText,
      kind: fc.constantFrom<KeyKind>('live', 'test', 'mock'),
      lastFour: fc.stringMatching(/^[0-9a-f]{4}$/),
      secret: fc.uuid(),
      scopes: fc.uniqueArray(fc.constantFrom(...scopes), { minLength: 1 }),
      createdAt: anyInstant,
      lastUsedAt: fc.option(anyInstant),
      expiresAt: fc.option(anyInstant),
      revokedAt: fc.option(anyInstant),
    })
    .map(({ kind, secret, ...key }) => ({
      ...key,
      tenantId,
      prefix: `qpu_${kind}_`,
      hash: sha256(secret),
    }))

export const anyMerchant: fc.Arbitrary<Merchant> = fc.record({
  name: anyText,
  bankCode: fc.stringMatching(/^[0-9]{1,10}$/),
})

/** Mode and amount as they go together: a closed QR has an amount, an open one has none. */
const anyModeAndAmount: fc.Arbitrary<Pick<QrRead, 'amountMode' | 'amount'>> = fc.oneof(
  fc.record({ amountMode: fc.constant('closed' as const), amount: anyBob }),
  fc.record({ amountMode: fc.constant('open' as const), amount: fc.constant(null) }),
)

const anyReading: fc.Arbitrary<Omit<QrRead, 'type'>> = fc
  .record({
    networkRef: fc.stringMatching(/^[0-9]{18,20}$/),
    merchant: anyMerchant,
    description: fc.option(anyText),
    expiresAt: fc.option(anyInstant),
    mode: anyModeAndAmount,
  })
  .map(({ mode, ...reading }) => ({ ...reading, ...mode }))

export const anyQrRead: fc.Arbitrary<QrRead> = anyReading.map((reading) => ({
  type: 'read',
  ...reading,
}))

/** A reading kept for this tenant. */
export const anyResolution = (tenantId: string): fc.Arbitrary<Resolution> =>
  fc
    .record({ id: anyId('qrr'), reading: anyReading, content: anyText, createdAt: anyInstant })
    .map(({ id, reading, content, createdAt }) => ({
      ...reading,
      id,
      tenantId,
      contentHash: sha256(content),
      createdAt,
    }))

/** What the ledger can carry, at this pricing. */
const anyPrice = (pricing: Pricing): fc.Arbitrary<Price & { readonly bid: Rate }> =>
  fc
    .record({ target: anyBob, bid: anyRate })
    .map(({ target, bid }) => ({ bid, priced: price(target, bid, pricing) }))
    .filter(({ priced }) => typeof priced === 'object')
    .map(({ bid, priced }) => ({ ...(priced as Price), bid }))

/** A quote of this tenant's as it is handed to the store. */
export const anyQuoteDraft = (
  { id: tenantId, pricing }: Pick<Tenant, 'id' | 'pricing'>,
  resolutionId: string | null = null,
): fc.Arbitrary<QuoteDraft> =>
  fc
    .record({ id: anyUuid, price: anyPrice(pricing), rateSource: anyText })
    .map(({ price, ...quote }) => ({ ...quote, ...price, tenantId, resolutionId }))

export const anyQuote: fc.Arbitrary<Quote> = fc
  .record({
    id: anyId('ten'),
    pricing: anyPricing.map((pricing) => ({ ...pricing, feeFixed: usdt(0n) })),
    createdAt: anyInstant,
    lifeSeconds: fc.integer({ min: 15, max: 300 }),
  })
  .chain(({ createdAt, lifeSeconds, ...tenant }) =>
    anyQuoteDraft(tenant).map((draft) => ({
      ...draft,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifeSeconds * 1000),
    })),
  )

export const anyPayoutQr: fc.Arbitrary<PayoutQr> = fc.record({
  amountMode: fc.constantFrom('open', 'closed'),
  merchant: anyMerchant,
})

/** A request's part of a payout at this quote. */
export const anyDraft = (quote: Quote): fc.Arbitrary<Draft> =>
  fc.record({
    id: anyId('po'),
    tenantId: fc.constant(quote.tenantId),
    transactionId: anyTransactionId,
    quoteId: fc.constant(quote.id),
    resolutionId: fc.constant(quote.resolutionId),
    target: fc.constant(quote.target),
    createdAt: anyInstant,
  })

export const anyProcessingPayout: fc.Arbitrary<ProcessingPayout> = anyQuote.chain((quote) =>
  fc
    .record({
      draft: anyDraft(quote),
      qr: anyPayoutQr,
      networkRef: fc.stringMatching(/^[0-9]{18}$/),
    })
    .map(({ draft, ...applied }) => ({ ...draft, ...applied, quote, status: 'processing' })),
)

const anyReason = fc.constantFrom('connection refused', 'HTTP 502', 'not JSON')

/** How the network can end a payment of this payout. */
export const anyFinalAnswer = (target: Bob): fc.Arbitrary<FinalAnswer> =>
  fc.oneof(
    fc.record({
      type: fc.constant('paid' as const),
      amount: fc.constant(target),
      paymentId: fc.option(anyText),
    }),
    fc.constantFrom<FinalAnswer>(
      { type: 'refused_payment' },
      { type: 'refused_qr' },
      { type: 'no_liquidity' },
      { type: 'limit' },
      { type: 'closed_unpaid' },
    ),
    fc.record({ type: fc.constant('not_sent' as const), reason: anyReason }),
  )

/** Everything the network can say, a wrong amount included. */
export const anyNetworkAnswer = (target: Bob): fc.Arbitrary<NetworkAnswer> =>
  fc.oneof(
    anyFinalAnswer(target),
    fc.constant<NetworkAnswer>({ type: 'late' }),
    fc.record({ type: fc.constant('unknown' as const), reason: anyReason }),
    fc.record({
      type: fc.constant('paid' as const),
      amount: fc.option(anyBob),
      paymentId: fc.option(anyText),
    }),
  )

export const anyPayoutErrorCode: fc.Arbitrary<PayoutErrorCode> = fc.constantFrom(
  ...(Object.keys(messages) as PayoutErrorCode[]),
)

const utf8 = (bytes: number) =>
  anyText.filter((text) => new TextEncoder().encode(text).length <= bytes)

export const anySandboxQrRequest: fc.Arbitrary<SandboxQrRequest> = fc
  .record({
    mode: fc.oneof(
      fc.record({
        amountMode: fc.constant('closed' as const),
        amount: fc.bigInt({ min: 1n, max: 5_000_000n }).map(bob),
      }),
      fc.record({ amountMode: fc.constant('open' as const), amount: fc.constant(null) }),
    ),
    merchantName: fc.option(utf8(40)),
    description: fc.option(utf8(60)),
    scenario: fc.constantFrom(...sandboxScenarios),
  })
  .map(({ mode, ...request }) => ({ ...request, ...mode }))
