import { type Clock, parseRate, type Rate, rate as rateOf, type RateSource } from '@quipu/core'
import { compositeRate, fixedRate, httpJsonRate } from '@quipu/rates'
import type { SettingIssue } from '@quipu/runtime'
import { z } from 'zod'

/** An item of `RATE_SOURCES`. */
const httpSource = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  bid_path: z.string().min(1),
  time_path: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
})

const sourcesRule = 'must be a JSON list of {"url", "bid_path", "time_path"?, "name"?, "headers"?}, with dotted paths'

const httpSources = z
  .string()
  .transform((text, context) => {
    const sources = z.array(httpSource).safeParse(jsonOf(text))
    if (sources.success) return sources.data
    context.addIssue({ code: 'custom', message: sourcesRule })
    return z.NEVER
  })
  .optional()

const rateRule = 'must be a decimal above 0 with at most 4 fraction digits, such as 9.9500'
const rate = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,4})?$/, rateRule)
  .transform((text, context): Rate => {
    const parsed = parseRate(text)
    if (parsed !== undefined && parsed > 0n) return parsed
    context.addIssue({ code: 'custom', message: rateRule })
    return z.NEVER
  })
  .optional()

/** The source of rates. */
export const rateSettings = {
  RATE_SOURCE: z
    .enum(['fixed', 'http-json', 'composite'], 'is required: fixed, http-json or composite')
    .describe('Kind of source of the USDT price.'),
  RATE_BID: rate.describe('With fixed: the bid, in BOB per USDT.'),
  RATE_SOURCES: httpSources.describe(
    'One source with http-json, two or more with composite, which must agree: a JSON list of {"url", "bid_path", "time_path"?, "name"?, "headers"?}.',
  ),
  RATE_MIN: rate.describe('With composite: a lower bid is rejected; unset means no minimum.'),
  RATE_MAX: rate.describe('With composite: a higher bid is rejected; unset means no maximum.'),
}

const schema = z.object(rateSettings)
export type RateSettings = z.output<typeof schema>

/** Reports settings that the kind of source needs and does not have. */
export function rateIssues(settings: RateSettings): readonly SettingIssue[] {
  const { RATE_SOURCE, RATE_BID, RATE_SOURCES = [], RATE_MIN, RATE_MAX } = settings
  const count = RATE_SOURCES.length
  switch (RATE_SOURCE) {
    case 'fixed':
      return RATE_BID ? [] : [{ variable: 'RATE_BID', message: `with fixed, ${rateRule}` }]
    case 'http-json':
      return count === 1 ? [] : [{ variable: 'RATE_SOURCES', message: 'must have one source' }]
    case 'composite':
      if (count < 2) return [{ variable: 'RATE_SOURCES', message: 'must have two or more sources' }]
      return RATE_MIN && RATE_MAX && RATE_MIN > RATE_MAX
        ? [{ variable: 'RATE_MIN', message: 'must not be above RATE_MAX' }]
        : []
    default: // RATE_SOURCE itself failed to parse and is reported by the schema.
      return []
  }
}

/** The largest rate that a setting can have: no maximum. */
const highest = rateOf(999_999_9999n)

/** Each of `RATE_SOURCES` by itself. */
export const httpRateSources = (settings: Pick<RateSettings, 'RATE_SOURCES'>, now: Clock): readonly RateSource[] =>
  (settings.RATE_SOURCES ?? []).map(({ url, bid_path, ...source }) =>
    httpJsonRate({
      url,
      bidPath: bid_path,
      now,
      ...(source.time_path !== undefined && { timePath: source.time_path }),
      ...(source.name !== undefined && { name: source.name }),
      ...(source.headers && { headers: source.headers }),
    }),
  )

/** The source that the settings describe. */
export function rateSource(settings: RateSettings, now: Clock): RateSource {
  const sources = httpRateSources(settings, now)
  const [only] = sources
  switch (settings.RATE_SOURCE) {
    case 'fixed':
      return fixedRate({ bid: settings.RATE_BID ?? rateOf(0n), now })
    case 'http-json':
      if (!only) throw new Error('http-json without a source')
      return only
    case 'composite': {
      const band = { min: settings.RATE_MIN ?? rateOf(1n), max: settings.RATE_MAX ?? highest }
      return compositeRate({ sources, now, band })
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
