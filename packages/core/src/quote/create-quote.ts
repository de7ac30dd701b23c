import { type Ids } from '../ids.ts'
import type { Bob } from '../money.ts'
import type { Tenant } from '../tenant/tenant.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { QuoteStore, RateReading, RateSource, ResolutionStore } from './ports.ts'
import { quotePrice } from './price.ts'
import type { Quote } from './quote.ts'
import type { Resolution } from './resolution.ts'
import { checkSettings } from '../check-settings.ts'
import { expectBigint } from '../wrong-value.ts'

/** A validated `POST /quotes`. @source spec §4; the members are assumed */
export type QuoteRequest = {
  /** Null only with a closed resolution: its amount is the target. */
  readonly target: Bob | null
  readonly resolutionId: string | null
  /** The API key that sent it; left out by a caller that authenticates otherwise. */
  readonly keyId?: string
}

/** The quote, or why there is none. */
export type QuoteAnswer =
  | { readonly type: 'quote'; readonly quote: Quote }
  | {
      readonly type: 'refused'
      readonly code:
        | 'RESOLUTION_NOT_FOUND'
        | 'TARGET_REQUIRED'
        | 'TARGET_TOO_LARGE'
        /** The tenant is suspended, or the key was revoked or has expired, also while the rate was read. */
        | 'AUTHENTICATION_FAILED'
    }

/**
 * Handles one quote request.
 *
 * @throws Unavailable when there is no fresh rate, quoting is paused, the exposure is above its limit, or the store cannot be written
 */
export type CreateQuote = (tenant: Tenant, request: QuoteRequest) => Promise<QuoteAnswer>

/** The ports of `createQuote`. */
export type CreateQuotePorts = {
  readonly quotes: Pick<QuoteStore, 'insert'>
  readonly resolutions: Pick<ResolutionStore, 'find'>
  readonly rates: RateSource
  readonly ids: Ids
  readonly now: Clock
}

/** The lifetime of a quote in seconds: its default and the bounds of the setting. */
export const quoteLifeSeconds = { default: 60, min: 15, max: 300 } as const

/** How long quotes live. */
export type QuoteSettings = {
  readonly lifeSeconds: number
  /** The lifetime of a quote that names this resolution. Without it every quote lives for `lifeSeconds`. */
  readonly lifeSecondsOf?: (resolution: Resolution) => number
}

/**
 * Creates a firm price for the amount that a merchant receives.
 *
 * A target that differs from the resolution's amount is quoted; the payout ends with
 * `QUOTE_AMOUNT_MISMATCH`.
 *
 * @throws Unavailable when there is no fresh rate, quoting is paused, the exposure is above its limit, or the store cannot be written
 * @throws TypeError when the target is not above 0, or the rate no `Rate`
 * @source spec §2 Quote; request and formula are assumed
 * @example
 * ```ts
 * const quote = createQuote(ports, { lifeSeconds: quoteLifeSeconds.default })
 * const answer = await quote(tenant, { target: bob(100_00n), resolutionId: null })
 * console.log(answer.type === 'quote' && toDecimal(answer.quote.source)) // 10.203353
 * ```
 */
export function createQuote(ports: CreateQuotePorts, settings: QuoteSettings): CreateQuote {
  checkSettings('createQuote', settings, { lifeSeconds: { min: quoteLifeSeconds.min, max: quoteLifeSeconds.max } })
  const { lifeSeconds, lifeSecondsOf } = settings
  return async (tenant, { target, resolutionId, keyId = null }) => {
    if (tenant.status !== 'active') return notAllowed
    // Read only for its amount or its quote's lifetime: the insertion refuses one that does not exist.
    const isRead = resolutionId !== null && (target === null || lifeSecondsOf !== undefined)
    const resolution = isRead && (await ports.resolutions.find(tenant.id, resolutionId))
    if (isRead && !resolution) return noResolution
    const amount = target ?? (resolution ? resolution.amount : null)
    if (!amount) return { type: 'refused', code: 'TARGET_REQUIRED' }

    const { bid, source: rateSource } = await currentRate(ports)
    const priced = quotePrice(amount, bid, tenant.pricing)
    if (priced === 'no_rate') throw new Unavailable('rate_source', 'the rate is zero')
    if (priced === 'too_large') return { type: 'refused', code: 'TARGET_TOO_LARGE' }

    const id = ports.ids.uuid(ports.now())
    const draft = { ...priced, id, tenantId: tenant.id, resolutionId, bid, rateSource }
    const life = resolution && lifeSecondsOf ? lifeSecondsOf(resolution) : lifeSeconds
    const quote = await ports.quotes.insert(draft, life, keyId)
    if (quote === 'no_resolution') return noResolution
    return quote === 'not_allowed' ? notAllowed : { type: 'quote', quote }
  }
}

/** The maximum age of a rate, by its source's own time; and how far that time may be ahead. */
export const rateAgeSeconds = { max: 180, ahead: 10 } as const

/** A source has its own limits; these hold for every source, also of an embedder. */
async function currentRate({ rates, now }: CreateQuotePorts): Promise<RateReading> {
  const reading = await rates.current()
  expectBigint('RateSource.current: bid', 'ten-thousandths of a BOB', reading.bid)
  const ageMs = now().getTime() - reading.observedAt.getTime()
  if (!(ageMs <= rateAgeSeconds.max * 1_000 && ageMs >= -rateAgeSeconds.ahead * 1_000))
    throw new Unavailable('rate_source', `the rate of ${reading.observedAt.toISOString()} is stale`)
  return reading
}

const noResolution = { type: 'refused', code: 'RESOLUTION_NOT_FOUND' } as const
const notAllowed = { type: 'refused', code: 'AUTHENTICATION_FAILED' } as const
