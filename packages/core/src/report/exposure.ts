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

/**
 * Reads the exposure at the present bid.
 *
 * @throws Unavailable without a rate, or when the database cannot be read
 * @example
 * ```ts
 * const { exposure } = await readExposure({ ...ports, limit: null })()
 * console.log(toDecimal(exposure)) // -1000.000000
 * ```
 */
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

/** The ports of `recentExposure`. */
export type RecentExposurePorts = {
  /** `readExposure`. */
  readonly read: () => Promise<Exposure>
  readonly now: Clock
  readonly inBackground: (work: Promise<unknown>) => void
}

/**
 * The last reading of the exposure. A caller waits for the first one alone; later ones replace it in the background.
 * While readings fail, the last one decides.
 *
 * @example
 * ```ts
 * const recent = recentExposure({ ...ports, read: readExposure({ ...ports, limit: null }) })
 * console.log((await recent()).isAbove) // false
 * ```
 */
export function recentExposure({ read, now, inBackground }: RecentExposurePorts): () => Promise<Exposure> {
  let last: Promise<Exposure> | undefined
  let begunAt = 0
  return () => {
    const at = now().getTime()
    const before = last
    if (before !== undefined && at - begunAt < refreshMs) return before
    begunAt = at
    const reading = read()
    if (before !== undefined) {
      const replace = (): void => void (last = reading)
      inBackground(reading.then(replace, () => undefined))
      return before
    }
    last = reading
    // The next one reads again.
    inBackground(reading.catch(() => (last = undefined)))
    return reading
  }
}

/** A source of the rate that gives none while the exposure is above its limit. @param recent  `recentExposure` */
export const ratesWithinExposure = (
  rates: RateSource,
  recent: () => Promise<Pick<Exposure, 'isAbove'>>,
): RateSource => ({
  ...rates,
  current: async () => {
    const reading = await rates.current()
    if ((await recent()).isAbove) throw new Unavailable('rate_source', 'the exposure is above its limit')
    return reading
  },
})
