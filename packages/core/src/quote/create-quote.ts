import type { Ids } from '../ids.ts'
import type { Bob } from '../money.ts'
import { alwaysAllowed, type StillAllowed } from '../tenant/authenticate.ts'
import type { Tenant } from '../tenant/tenant.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { QuoteStore, RateSource, ResolutionStore } from './ports.ts'
import { quotePrice, type Quote } from './quote.ts'

export type QuoteRequest = {
  /** May be null only with a closed resolution, whose amount is then taken. */
  readonly target: Bob | null
  readonly resolutionId: string | null
}

export type QuoteAnswer =
  | { readonly type: 'quote'; readonly quote: Quote }
  | {
      readonly type: 'refused'
      readonly code:
        | 'RESOLUTION_NOT_FOUND'
        | 'TARGET_REQUIRED'
        | 'TARGET_TOO_LARGE'
        /** The caller was no longer allowed once the rate had been read. */
        | 'AUTHENTICATION_FAILED'
    }

export type CreateQuote = (
  tenant: Tenant,
  request: QuoteRequest,
  stillAllowed?: StillAllowed,
) => Promise<QuoteAnswer>

export type CreateQuotePorts = {
  readonly quotes: Pick<QuoteStore, 'insert'>
  readonly resolutions: Pick<ResolutionStore, 'find'>
  readonly rates: RateSource
  readonly ids: Ids
  readonly now: Clock
}

/** How long a quote lives unless configured otherwise, and the bounds of that setting. @source assumed */
export const quoteLifeSeconds = { default: 60, min: 15, max: 300 } as const

/**
 * Gives a firm price for the amount that a merchant receives.
 *
 * A target that differs from the resolution's own amount is not refused here: the payout shows it.
 *
 * @throws Unavailable when there is no fresh rate, or the store cannot be written
 * @source spec §2 Quote; request and formula are assumed
 */
export const createQuote =
  (ports: CreateQuotePorts, { lifeSeconds }: { lifeSeconds: number }): CreateQuote =>
  async (tenant, { target, resolutionId }, stillAllowed = alwaysAllowed) => {
    const resolution = resolutionId && (await ports.resolutions.find(tenant.id, resolutionId))
    if (resolutionId && !resolution) return { type: 'refused', code: 'RESOLUTION_NOT_FOUND' }
    const amount = target ?? (resolution ? resolution.amount : null)
    if (!amount) return { type: 'refused', code: 'TARGET_REQUIRED' }

    const { bid, source: rateSource } = await ports.rates.current()
    if (!(await stillAllowed())) return { type: 'refused', code: 'AUTHENTICATION_FAILED' }
    const priced = quotePrice(amount, bid, tenant.pricing)
    if (priced === 'no_rate') throw new Unavailable('rate_source', 'the rate comes to zero')
    if (priced === 'too_large') return { type: 'refused', code: 'TARGET_TOO_LARGE' }

    const id = ports.ids.uuid(ports.now())
    const draft = { ...priced, id, tenantId: tenant.id, resolutionId, bid, rateSource }
    return { type: 'quote', quote: await ports.quotes.insert(draft, lifeSeconds) }
  }
