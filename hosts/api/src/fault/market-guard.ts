import { formatRate, type Quote, type RaiseAlert, type Rate, type RateSource, Unavailable } from '@quipu/core'
import type { PayoutStore, RateReading } from '@quipu/core/adapter'

/** In basis points of the market's bid. The market moves less while a quote lives. */
const offFrom = 1_000n
const remembered = 1_000

/** A source of the rate that remembers its newest reading. */
export type WatchedRates = RateSource & {
  /** Undefined before the first reading. */
  readonly latest: () => RateReading | undefined
}

export function watchedRates(source: RateSource): WatchedRates {
  let latest: RateReading | undefined
  const current = async (): Promise<RateReading> => {
    latest = await source.current()
    return latest
  }
  return Object.assign(Object.create(source) as RateSource, { current, latest: () => latest })
}

/**
 * Refuses to pay at a quote whose bid is a tenth or more off the newest rate of this process, and raises an alert: no
 * process has made it. No table has the market's rate, so the database takes such a quote from anyone with the role of
 * the processes. A payout never waits for a source of the rate.
 */
export function guardedPayouts(
  payouts: PayoutStore,
  rates: Pick<WatchedRates, 'latest'>,
  raiseAlert: RaiseAlert,
): PayoutStore {
  const raised = new Set<string>()
  const check = ({ id, tenantId, bid }: Quote): void => {
    const market = rates.latest()
    if (market === undefined || !isOff(bid, market.bid)) return
    const detail = `its bid is ${formatRate(bid)}, and the market's ${formatRate(market.bid)}: it is not paid`
    if (!raised.has(id)) raiseAlert({ code: 'QUOTE_OFF_MARKET', tenantId, subject: id, detail })
    if (raised.size === remembered) raised.clear()
    raised.add(id)
    throw new Unavailable('rate_source', `quote ${id} is off the market`)
  }
  const findForCreate: PayoutStore['findForCreate'] = async (...request) => {
    const found = await payouts.findForCreate(...request)
    if (!found.stored && found.quote?.status === 'open') check(found.quote.quote)
    return found
  }
  return Object.assign(Object.create(payouts) as PayoutStore, { findForCreate })
}

const isOff = (bid: Rate, market: Rate): boolean => {
  const apart = bid > market ? bid - market : market - bid
  return apart * 10_000n >= market * offFrom
}
