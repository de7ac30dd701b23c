import { type Bob, type Usdt, usdt } from '../money.ts'
import type { RateReading, RateSource } from '../quote/ports.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { LiquidityRecord, ReportStore } from './ports.ts'

/** USDT that the operator has received for payouts and not sold, against the BOB that it has left to pay with. */
export type Exposure = {
  readonly received: Usdt
  /** As the poll of the network's liquidity last kept it; null before the first one. */
  readonly left: LiquidityRecord | null
  readonly rate: RateReading
  /** `left` at the bid, rounded down; zero before the first reading. */
  readonly leftUsdt: Usdt
  /** `received − leftUsdt`: negative while more is in BOB than in USDT. */
  readonly exposure: Usdt
  /** Null: none is set. */
  readonly limit: Usdt | null
  /** Whether quotes are refused. */
  readonly isAbove: boolean
  readonly at: Date
}

/** The ports of `readExposure`. */
export type ReadExposurePorts = {
  readonly reports: Pick<ReportStore, 'position' | 'liquidity'>
  readonly rates: RateSource
  readonly now: Clock
  /** Null: none is set. */
  readonly limit: Usdt | null
}

/** Reads the exposure at the present bid. @throws Unavailable without a rate, or when the database cannot be read */
export const readExposure =
  ({ reports, rates, now, limit }: ReadExposurePorts) =>
  async (): Promise<Exposure> => {
    const at = now()
    const rate = await rates.current()
    const left = (await reports.liquidity(at)).at(-1) ?? null
    const received = await reports.position()
    const leftUsdt = left === null ? usdt(0n) : atBid(left.available, rate)
    const exposure = usdt(received.minor - leftUsdt.minor)
    const isAbove = limit !== null && exposure.minor > limit.minor
    return { received, left, rate, leftUsdt, exposure, limit, isAbove, at }
  }

/** Rounded towards less, also on credit. */
function atBid({ minor }: Bob, { bid }: RateReading): Usdt {
  const exact = minor * 10n ** 8n
  const down = exact / bid
  return usdt(exact < 0n && down * bid !== exact ? down - 1n : down)
}

/** How long a reading decides before another one is begun. */
const refreshMs = 15_000

/** The ports of `limitedRates`. */
export type LimitedRatesPorts = {
  readonly rates: RateSource
  /** `readExposure` over the unlimited source. */
  readonly exposure: () => Promise<Pick<Exposure, 'isAbove'>>
  readonly now: Clock
  readonly inBackground: (work: Promise<unknown>) => void
}

/**
 * A source of the rate that gives none while the exposure is above its limit. A quote waits for the first reading alone;
 * later ones replace it in the background. While readings fail, the last one decides.
 */
export function limitedRates({ rates, exposure: read, now, inBackground }: LimitedRatesPorts): RateSource {
  let last: Promise<Pick<Exposure, 'isAbove'>> | undefined
  let begunAt = 0
  const newest = (): Promise<Pick<Exposure, 'isAbove'>> => {
    const at = now().getTime()
    if (last !== undefined && at - begunAt < refreshMs) return last
    begunAt = at
    const reading = read()
    const before = last
    if (before === undefined) {
      last = reading
      // Another quote reads again.
      inBackground(reading.catch(() => (last = undefined)))
      return reading
    }
    inBackground(
      reading.then(
        () => (last = reading),
        () => undefined,
      ),
    )
    return before
  }
  return {
    ...rates,
    current: async () => {
      const reading = await rates.current()
      if ((await newest()).isAbove) throw new Unavailable('rate_source', 'the exposure is above its limit')
      return reading
    },
  }
}
