/** The zones of reports and exports. */
export const timezones = ['UTC', 'America/La_Paz'] as const
/** Bolivia is four hours behind UTC, and has no daylight saving time. */
export type Timezone = (typeof timezones)[number]

/** A stretch of time, as a report or an export states it. */
export type Period = {
  /** `2026-11`, `2026-11-20`, or `<from>/<to>` as ISO 8601 writes an interval. */
  readonly name: string
  readonly from: Date
  /** Exclusive, and after `from`. */
  readonly to: Date
  readonly timezone: Timezone
}

/** `final` when no later commit can be dated in the period. */
export type PeriodStatus = 'open' | 'final'

/**
 * A payout is dated by the clock of the process that settles it, just before its commit. Commits time out long
 * before this.
 */
export const finalAfterSeconds = 600

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const offsetMs: Readonly<Record<Timezone, number>> = { UTC: 0, 'America/La_Paz': -4 * hourMs }
const offsetText: Readonly<Record<Timezone, string>> = { UTC: 'Z', 'America/La_Paz': '-04:00' }

const monthPattern = /^\d{4}-\d{2}$/
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/**
 * The month or day of this name in this zone.
 *
 * @returns undefined when the text is neither, or not in the calendar
 * @example
 * ```ts
 * console.log(namedPeriod('2026-11', 'America/La_Paz')?.from.toISOString()) // 2026-11-01T04:00:00.000Z
 * ```
 */
export function namedPeriod(name: string, timezone: Timezone): Period | undefined {
  const isMonth = monthPattern.test(name)
  if (!isMonth && !dayPattern.test(name)) return undefined
  const first = isMonth ? `${name}-01` : name
  const start = new Date(`${first}T00:00:00.000Z`)
  // Date moves a day that does not exist, such as February 30, into another month, or is invalid.
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== first) return undefined
  const end = isMonth ? Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) : start.getTime() + dayMs
  const instant = (local: number) => new Date(local - offsetMs[timezone])
  return { name, from: instant(start.getTime()), to: instant(end), timezone }
}

/** The period between two instants. @returns undefined unless `from` is before `to` */
export const periodBetween = (from: Date, to: Date, timezone: Timezone): Period | undefined =>
  from < to ? { name: `${zonedText(from, timezone)}/${zonedText(to, timezone)}`, from, to, timezone } : undefined

/** Whether commits can still be dated in the period. */
export const periodStatus = ({ to }: Pick<Period, 'to'>, now: Date): PeriodStatus =>
  now.getTime() < to.getTime() + finalAfterSeconds * 1_000 ? 'open' : 'final'

/** `2026-11-20`: the day of this instant in this zone. */
export const dayAt = (at: Date, timezone: Timezone): string =>
  new Date(at.getTime() + offsetMs[timezone]).toISOString().slice(0, 10)

/** The days of a period, oldest first. They tile it: the first and the last one are cut where it begins and ends. */
export function daysOf({ from, to, timezone }: Period): readonly Period[] {
  const days: Period[] = []
  for (let at = from; at < to;) {
    const name = dayAt(at, timezone)
    const next = new Date(Date.parse(`${name}T00:00:00.000Z`) + dayMs - offsetMs[timezone])
    const end = next < to ? next : to
    days.push({ name, from: at, to: end, timezone })
    at = end
  }
  return days
}

/** How far the zone's clocks are ahead of UTC. */
export const zoneOffsetMs = (timezone: Timezone): number => offsetMs[timezone]

/** An instant in ISO 8601 with the offset of the zone: `2026-11-20T11:04:05.000-04:00`. */
export const zonedText = (at: Date, timezone: Timezone): string =>
  new Date(at.getTime() + offsetMs[timezone]).toISOString().replace('Z', offsetText[timezone])
