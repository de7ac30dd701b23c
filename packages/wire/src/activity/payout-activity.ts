import { type ActivityQuery, activityPayoutsMax, type PayoutActivity } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { queryMembers } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { wholeNumber } from '../list/list.ts'
import { parseQuery } from '../json/query.ts'

const count = z.int().min(0)
const ms = z.number().min(0)

/** The outcome of the payouts of a period. */
export const payoutActivity = z
  .object({
    from: time.meta({ description: 'The start of the period.' }),
    to: time.meta({ description: 'Its end: when it was read.' }),
    step_seconds: z.int(),
    complete_from: time.meta({
      description: `From when on every payout that has ended is counted: at most the newest ${activityPayoutsMax.toLocaleString('en')} are.`,
    }),
    steps: z
      .array(
        z.object({
          at: time.meta({ description: 'The start of the step, by the payouts’ creation.' }),
          completed: count,
          failed: count,
          rejected: count,
          cancelled: count,
          median_ms: ms.meta({ description: 'From creation to end, of half of them at most.' }),
          p95_ms: ms,
        }),
      )
      .meta({ description: 'Oldest first; steps without payouts are left out.' }),
  })
  .meta({ id: 'PayoutActivity' })
export type PayoutActivityJson = z.output<typeof payoutActivity>

export const payoutActivityToJson = (
  { steps, completeFrom }: PayoutActivity,
  { from, stepSeconds }: ActivityQuery,
  now: Date,
): PayoutActivityJson => ({
  from: instantToJson(from),
  to: instantToJson(now),
  step_seconds: stepSeconds,
  complete_from: instantToJson(completeFrom),
  steps: steps.map(({ at, outcomes, medianMs, p95Ms }) => ({
    at: instantToJson(at),
    ...outcomes,
    median_ms: Math.round(medianMs),
    p95_ms: Math.round(p95Ms),
  })),
})

const [hoursMax, stepsWanted] = [168, 48]

export const payoutActivityQuery = queryMembers({
  hours: wholeNumber(hoursMax, { default: 24, examples: [24] })
    .meta({ description: `The period, up to now. It is divided into ${stepsWanted} steps.` })
    .optional(),
})

/** Reads the query of `GET /operator/v1/payout-activity`. */
export const parsePayoutActivity = (search: URLSearchParams | string, now: Date): Parsed<ActivityQuery> =>
  mapParsed(parseQuery(payoutActivityQuery, search), ({ hours = '24' }) => {
    const seconds = Number(hours) * 3_600
    const stepSeconds = seconds / stepsWanted
    return { from: new Date(now.getTime() - seconds * 1_000), stepSeconds }
  })
