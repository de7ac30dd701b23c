import { type Bob, bob } from '../money.ts'
import type { LiquidityRecord } from './ports.ts'

/** The mean that payouts spend in an hour of the week; weekday 0 is Sunday. */
export type SpendSlot = { readonly weekday: number; readonly hour: number; readonly hours: number; readonly spend: Bob }

/** When the network's liquidity ends, if payouts go on as in the last weeks. */
export type LiquidityForecast = {
  readonly slots: readonly SpendSlot[]
  /** Null: not within `forecastDays`, or there are no two readings to learn from. */
  readonly belowFloorAt: Date | null
  readonly runsOutAt: Date | null
}

/** How many days of readings a forecast uses, and how far it looks. */
export const forecastDays = 28

const hourMs = 3_600_000

/**
 * Forecasts from hourly readings: what two successive ones differ by was spent in the hours between them. Hours in which
 * the balance rose are left out: it was funded. The next hours each spend the mean of their hour of the week, or of
 * all hours where that one has none; means are rounded up.
 *
 * @param readings  oldest first
 * @param offsetMs  of the zone of weekdays and hours
 */
export function forecastLiquidity(
  readings: readonly LiquidityRecord[],
  floor: Bob | null,
  offsetMs: number,
): LiquidityForecast {
  const sums = new Map<number, { minor: bigint; hours: number }>()
  for (const [n, { at, available }] of readings.entries()) {
    const before = readings[n - 1]
    if (before === undefined) continue
    const hours = Math.round((hourOf(at) - hourOf(before.at)) / hourMs)
    const spent = before.available.minor - available.minor
    if (hours < 1 || spent < 0n) continue
    for (let hour = 1; hour <= hours; hour++) {
      const slot = slotOf(hourOf(before.at) + hour * hourMs + offsetMs)
      const sum = sums.get(slot) ?? { minor: 0n, hours: 0 }
      // The first hours carry the rest, so that they add up to what was spent.
      const share = spent / BigInt(hours) + (BigInt(hour) <= spent % BigInt(hours) ? 1n : 0n)
      sums.set(slot, { minor: sum.minor + share, hours: sum.hours + 1 })
    }
  }
  const slots = [...sums]
    .toSorted(([a], [b]) => a - b)
    .map(([slot, { minor, hours }]) => ({
      weekday: Math.floor(slot / 24),
      hour: slot % 24,
      hours,
      spend: bob(meanOf(minor, hours)),
    }))
  const newest = readings.at(-1)
  return { slots, ...(newest && sums.size > 0 ? endOf(newest, sums, floor, offsetMs) : unknownEnd) }
}

const unknownEnd = { belowFloorAt: null, runsOutAt: null }

type Sums = ReadonlyMap<number, { readonly minor: bigint; readonly hours: number }>

function endOf(
  { at, available }: LiquidityRecord,
  sums: Sums,
  floor: Bob | null,
  offsetMs: number,
): Pick<LiquidityForecast, 'belowFloorAt' | 'runsOutAt'> {
  const all = [...sums.values()]
  const mean = meanOf(
    all.reduce((total, { minor }) => total + minor, 0n),
    all.reduce((total, { hours }) => total + hours, 0),
  )
  let left = available.minor
  let belowFloorAt: Date | null = null
  for (let hour = 1; hour <= forecastDays * 24; hour++) {
    const when = hourOf(at) + hour * hourMs
    const slot = sums.get(slotOf(when + offsetMs))
    left -= slot ? meanOf(slot.minor, slot.hours) : mean
    if (floor !== null && belowFloorAt === null && left < floor.minor) belowFloorAt = new Date(when)
    if (left < 0n) return { belowFloorAt, runsOutAt: new Date(when) }
  }
  return { belowFloorAt, runsOutAt: null }
}

const meanOf = (minor: bigint, hours: number): bigint => (minor + BigInt(hours) - 1n) / BigInt(hours)
const hourOf = (at: Date): number => Math.floor(at.getTime() / hourMs) * hourMs
/** The epoch was a Thursday. */
const slotOf = (localMs: number): number => (Math.floor(localMs / hourMs) + 4 * 24) % 168
