import { isoText } from '@quipu/core/adapter'

/** Date, time and zone; seconds and fraction are optional. `parseInstant` checks the calendar. */
export const instantPattern: RegExp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(?:Z|([+-])([0-9]{2})(?::?([0-9]{2}))?)$/

/** A point in time to the nanosecond. */
export type Instant = {
  /** Whole milliseconds since the epoch. */
  readonly ms: number
  /** Nanoseconds within that millisecond. */
  readonly rest: number
}

const firstMs = -62_135_596_800_000 // 0001-01-01T00:00:00.000Z
const lastMs = 253_402_300_799_999 // 9999-12-31T23:59:59.999Z

/**
 * Reads an ISO 8601 instant.
 *
 * @returns undefined when it has no zone, does not exist in the calendar, or lies outside the years 1 to 9999
 */
export function parseInstant(value: string): Instant | undefined {
  const match = instantPattern.exec(value)
  if (match === null) return undefined
  const part = (i: number): number => Number(match[i] ?? 0)
  const [hour, minute, second, zoneHour, zoneMinute] = [4, 5, 6, 9, 10].map(part) as Clock
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return undefined

  const date = new Date(0)
  date.setUTCFullYear(part(1), part(2) - 1, part(3))
  // Date moves a day that does not exist, such as February 30 or 00, into another month.
  if (date.getUTCMonth() !== part(2) - 1) return undefined

  const nanos = Number((match[7] ?? '').padEnd(9, '0'))
  const zone = zoneHour * 60 + zoneMinute
  const offset = match[8] === '-' ? -zone : zone
  const seconds = (hour * 60 + minute - offset) * 60 + second
  const ms = date.getTime() + seconds * 1000 + Math.floor(nanos / 1_000_000)
  return ms < firstMs || ms > lastMs ? undefined : { ms, rest: nanos % 1_000_000 }
}

type Clock = [number, number, number, number, number]

export const isInstant = (value: string): boolean => parseInstant(value) !== undefined

/** Negative when `a` is earlier, 0 when equal, positive when `a` is later. */
export const compareInstants = (a: Instant, b: Instant): number => a.ms - b.ms || a.rest - b.rest

/** The first whole millisecond that is not before the instant. */
export const ceilToMs = ({ ms, rest }: Instant): Date => new Date(rest === 0 ? ms : ms + 1)

/** The last whole millisecond that is not after the instant. */
export const floorToMs = ({ ms }: Instant): Date => new Date(ms)

/** UTC with milliseconds and `Z`. @source spec §2 Formats */
export const instantToJson = (at: Date): string => isoText(at)
