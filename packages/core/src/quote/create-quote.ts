import { type Ids, idsShape } from '../ids.ts'
import type { Bob } from '../money.ts'
import type { Tenant } from '../tenant/tenant.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { QuoteStore, RateSource, ResolutionStore } from './ports.ts'
import { quotePrice, type Quote } from './quote.ts'
import { checkPorts, checkSettings, type Shape } from '../shape.ts'

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
 * @throws Unavailable when there is no fresh rate, quoting is paused, or the store cannot be written
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

const createQuotePortsShape: Shape<CreateQuotePorts> = {
  quotes: { insert: 'function' },
  resolutions: { find: 'function' },
  rates: { current: 'function' },
  ids: idsShape,
  now: 'function',
}

/** The lifetime of a quote in seconds: its default and the bounds of the setting. @source assumed */
export const quoteLifeSeconds = { default: 60, min: 15, max: 300 } as const

/**
 * Creates a firm price for the amount that a merchant receives.
 *
 * A target that differs from the resolution's amount is quoted; the payout ends with
 * `QUOTE_AMOUNT_MISMATCH`.
 *
 * @throws Unavailable when there is no fresh rate, quoting is paused, or the store cannot be written
 * @source spec §2 Quote; request and formula are assumed
 * @example
 * ```ts
 * const quote = createQuote(ports, { lifeSeconds: quoteLifeSeconds.default })
 * const answer = await quote(tenant, { target: bob(100_00n), resolutionId: null })
 * console.log(answer.type === 'quote' && toDecimal(answer.quote.source)) // 10.050252
 * ```
 */
export function createQuote(
  ports: CreateQuotePorts,
  settings: { lifeSeconds: number },
): CreateQuote {
  checkPorts('createQuote', ports, createQuotePortsShape)
  checkSettings('createQuote', settings, { lifeSeconds: 'number' })
  const { lifeSeconds } = settings
  return async (tenant, { target, resolutionId, keyId = null }) => {
    if (tenant.status !== 'active') return notAllowed
    const resolution = resolutionId && (await ports.resolutions.find(tenant.id, resolutionId))
    if (resolutionId && !resolution) return { type: 'refused', code: 'RESOLUTION_NOT_FOUND' }
    const amount = target ?? (resolution ? resolution.amount : null)
    if (!amount) return { type: 'refused', code: 'TARGET_REQUIRED' }

    const { bid, source: rateSource } = await ports.rates.current()
    const priced = quotePrice(amount, bid, tenant.pricing)
    if (priced === 'no_rate') throw new Unavailable('rate_source', 'the rate is zero')
    if (priced === 'too_large') return { type: 'refused', code: 'TARGET_TOO_LARGE' }

    const id = ports.ids.uuid(ports.now())
    const draft = { ...priced, id, tenantId: tenant.id, resolutionId, bid, rateSource }
    const quote = await ports.quotes.insert(draft, lifeSeconds, keyId)
    return quote === 'not_allowed' ? notAllowed : { type: 'quote', quote }
  }
}

const notAllowed = { type: 'refused', code: 'AUTHENTICATION_FAILED' } as const
