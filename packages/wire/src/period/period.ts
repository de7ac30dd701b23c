import {
  namedPeriod,
  type Period,
  periodBetween,
  periodStatus,
  type Timezone,
  timezones,
  zonedText,
} from '@quipu/core/operator'
import { z } from 'zod'
import { instant, matching, oneOf } from '../json/fields.ts'
import { ceilToMs, compareInstants, type Instant, parseInstant } from '../json/instant.ts'
import type { Parsed, Rule } from '../json/parsed.ts'

const nameRule = 'must be a month or a day of the calendar, such as 2026-11 or 2026-11-20'

/** The parameters of a query that has a period: `period`, or `from` and `to`. Needs the rule `onePeriod`. */
export const periodParameters = {
  period: matching(/^\d{4}-\d{2}(?:-\d{2})?$/, nameRule)
    .refine((name) => namedPeriod(name, 'UTC') !== undefined)
    .meta({ description: 'A month or a day in `timezone`.', examples: ['2026-11', '2026-11-20'] })
    .optional(),
  from: instant
    .meta({ description: 'At or after; with `to`, instead of `period`.', examples: ['2026-11-01T00:00:00-04:00'] })
    .optional(),
  to: instant.meta({ description: 'Before.', examples: ['2026-12-01T00:00:00-04:00'] }).optional(),
  timezone: oneOf(timezones)
    .meta({ description: 'Where a month or a day begins, and the zone of a CSV’s instants.', default: 'UTC' })
    .optional(),
}

/** Parsed `periodParameters`. */
export type PeriodParameters = {
  readonly period?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly timezone?: Timezone | undefined
}

/** A query has `period`, or `from` and `to`, and the former is before the latter. */
export const onePeriod: Rule = ({ period, from, to }) => {
  const bounds = { from, to }
  const given = (['from', 'to'] as const).filter((field) => bounds[field] !== undefined)
  if (period !== undefined) return given.map((field) => ({ field, message: 'must be left out with period' }))
  if (given.length === 0) return [{ field: 'period', message: 'is required, or from and to are' }]
  const missing = (['from', 'to'] as const).filter((field) => bounds[field] === undefined)
  if (missing.length > 0) return missing.map((field) => ({ field, message: `is required with ${given.join()}` }))
  const [start, end] = [from, to].map((text) => (typeof text === 'string' ? parseInstant(text) : undefined))
  return start && end && compareMs(start, end) >= 0 ? [{ field: 'from', message: 'must be before to' }] : []
}

/** Periods count in milliseconds, as stored instants do: two that are closer are one. */
const compareMs = (a: Instant, b: Instant): number =>
  compareInstants({ ms: ceilToMs(a).getTime(), rest: 0 }, { ms: ceilToMs(b).getTime(), rest: 0 })

/** The period of parameters that `onePeriod` has checked. */
export function readPeriod({ period, from, to, timezone = 'UTC' }: PeriodParameters): Parsed<Period> {
  const bound = (text = '') => ceilToMs(parseInstant(text) as Instant)
  const read = period === undefined ? periodBetween(bound(from), bound(to), timezone) : namedPeriod(period, timezone)
  return read ? { ok: true, value: read } : { ok: false, issues: [{ field: 'period', message: nameRule }] }
}

const zoned = z.string().meta({ format: 'date-time', examples: ['2026-11-01T00:00:00.000-04:00'] })

/** The members of an answer that state its period. */
export const periodMembers = {
  period: z.string().meta({ description: 'Its name: the month, the day, or `<from>/<to>`.', examples: ['2026-11'] }),
  from: zoned,
  to: zoned.meta({ description: 'Exclusive.' }),
  timezone: z.enum(timezones),
  status: z
    .enum(['open', 'final'])
    .meta({ description: '`final` soon after the period has ended: from then on nothing in it changes.' }),
}

export const periodToJson = (period: Period, now: Date) => ({
  period: period.name,
  from: zonedText(period.from, period.timezone),
  to: zonedText(period.to, period.timezone),
  timezone: period.timezone,
  status: periodStatus(period, now),
})
