import {
  formatRate,
  type Quote,
  quoteLifeSeconds,
  type RaiseAlert,
  type Rate,
  type RateSource,
  Unavailable,
} from '@quipu/core'
import type { PayoutStore, RateReading } from '@quipu/core/adapter'

/** In basis points of the market's bid. The market moves less while a quote lives. */
const offFrom = 1_000n
/** Twice the longest life of a quote: a process may have read the rate as long before. */
const rememberedMs = 2_000 * quoteLifeSeconds.max
const rememberedAlerts = 1_000

/** A source of the rate that remembers its readings. */
export type WatchedRates = RateSource & {
  /** The bids of `rememberedMs`, each once; none before the first reading. */
  readonly recent: () => Iterable<Rate>
}

export function watchedRates(source: RateSource): WatchedRates {
  const lastObserved = new Map<Rate, number>()
  const current = async (): Promise<RateReading> => {
    const reading = await source.current()
    const at = reading.observedAt.getTime()
    lastObserved.set(reading.bid, at)
    for (const [bid, since] of lastObserved) if (at - since > rememberedMs) lastObserved.delete(bid)
    return reading
  }
  return Object.assign(Object.create(source) as RateSource, { current, recent: () => lastObserved.keys() })
}

/**
 * Refuses to pay at a quote whose bid is a tenth or more off each rate that this process has read while the quote lives,
 * and raises an alert: no process has made it. No table has the market's rate, so the database takes such a quote from
 * anyone with the role of the processes. A payout never waits for a source of the rate, and a jump of the market leaves
 * quotes firm.
 */
export function guardedPayouts(
  payouts: PayoutStore,
  rates: Pick<WatchedRates, 'recent'>,
  raiseAlert: RaiseAlert,
): PayoutStore {
  const raised = new Set<string>()
  const check = ({ id, tenantId, bid }: Quote): void => {
    const read = [...rates.recent()]
    if (read.length === 0 || read.some((market) => !isOff(bid, market))) return
    const detail = `its bid is ${formatRate(bid)}, and the market's ${read.map(formatRate).join(', ')}: it is not paid`
    if (!raised.has(id)) raiseAlert({ code: 'QUOTE_OFF_MARKET', tenantId, subject: id, detail })
    if (raised.size === rememberedAlerts) raised.clear()
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
