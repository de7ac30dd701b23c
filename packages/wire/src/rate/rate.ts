import { formatRate } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import type { Quoting, QuotingReport } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { members, text } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { rateText } from '../json/money.ts'
import { parse, type Parsed } from '../json/parsed.ts'

/** Whether new quotes are given. */
export const quoting = z
  .object({
    status: z
      .enum(['open', 'paused'])
      .meta({ description: '`paused`: new quotes get `503 RATE_UNAVAILABLE`; those that exist stay payable.' }),
    changed_by: z
      .string()
      .nullable()
      .meta({ description: 'Who last paused or resumed it: the name of the operator’s token.' }),
    changed_at: time.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Quoting' })
export type QuotingJson = z.output<typeof quoting>

export const quotingToJson = ({ status, change }: Quoting): QuotingJson => ({
  status,
  changed_by: change?.by ?? null,
  changed_at: change && instantToJson(change.at),
  reason: change?.reason ?? null,
})

const ageSeconds = z.int().meta({ description: 'By the source’s own time, rounded down; negative when that is ahead.' })
const problem = z.string().nullable()

/** The rate that quotes use, and what is behind it. */
export const quotingReport = z
  .object({
    quoting,
    rate: z
      .object({ source: z.string(), bid: rateText, observed_at: time, age_seconds: ageSeconds })
      .nullable()
      .meta({ description: 'BOB per USDT before the margin, also while quoting is paused; null without one.' }),
    problem: problem.meta({ description: 'Why there is no rate.' }),
    sources: z.array(
      z.object({
        name: z.string(),
        bid: rateText.nullable(),
        observed_at: time.nullable(),
        age_seconds: ageSeconds.nullable(),
        usable: z.boolean().meta({ description: 'Whether a quote can use it: fresh and valid.' }),
        problem: problem.meta({ description: 'Why it is not usable.' }),
      }),
    ),
    agreement: z
      .object({
        agree: z.boolean(),
        spread_bps: z
          .int()
          .meta({ description: 'The highest usable bid above the lowest, in basis points, rounded up.' }),
        max_spread_bps: z.int(),
      })
      .nullable()
      .meta({ description: 'Null with fewer than two usable sources.' }),
  })
  .meta({ id: 'Rates', description: 'As the process that answers last polled them.' })
export type QuotingReportJson = z.output<typeof quotingReport>

export function quotingReportToJson(report: QuotingReport): QuotingReportJson {
  const { at, rate, agreement } = report
  return {
    quoting: quotingToJson(report.quoting),
    rate: rate && { source: rate.source, ...readingToJson(rate, at) },
    problem: report.problem,
    sources: report.sources.map(({ name, reading, problem }) => ({
      name,
      ...(reading ? readingToJson(reading, at) : noReading),
      usable: problem === null,
      problem,
    })),
    agreement: agreement && {
      agree: agreement.spreadBps <= agreement.maxSpreadBps,
      spread_bps: agreement.spreadBps,
      max_spread_bps: agreement.maxSpreadBps,
    },
  }
}

const noReading = { bid: null, observed_at: null, age_seconds: null } as const

const readingToJson = ({ bid, observedAt }: RateReading, at: Date) => ({
  bid: formatRate(bid),
  observed_at: instantToJson(observedAt),
  age_seconds: Math.floor((at.getTime() - observedAt.getTime()) / 1000),
})

export const quotingPause = members({
  reason: text(1, 500).meta({ examples: ['Both sources follow an exchange that has halted.'] }),
}).meta({ id: 'QuotingPauseRequest' })

/** Reads the body of `POST /operator/v1/rates/pause`. */
export const parseQuotingPause = (body: unknown): Parsed<{ readonly reason: string }> => parse(quotingPause, body)
