import { httpRateSources, rateSource } from '@quipu/api/settings'
import { formatRate } from '@quipu/core'
import { systemClock } from '@quipu/runtime'
import { fail, failing, type Finding, ok } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Each source of rates with its age, and whether together they give a rate. */
export async function checkRates(settings: ReadSettings): Promise<readonly Finding[]> {
  const { RATE_SOURCE } = settings
  if (RATE_SOURCE === undefined) return []
  const given = { ...settings, RATE_SOURCE }
  const sources = httpRateSources(settings, systemClock)
  const mend = 'Check the URL and bid_path in RATE_SOURCES, and the source’s status.'
  const each = await Promise.all(
    sources.map((source, index) =>
      failing(`rates.source_${index + 1}`, mend, async () => [await sourceFinding(source, index)]),
    ),
  )
  const together = await failing(
    'rates',
    'Quotes are refused until it gives a rate: see its sources.',
    async () => {
      const { bid, source } = await rateSource(
        { RATE_BID: undefined, ...given },
        systemClock,
      ).current()
      return [ok('rates', `${formatRate(bid)} BOB per USDT from ${source}`)]
    },
  )
  return [...each.flat(), ...together]
}

async function sourceFinding(
  source: ReturnType<typeof httpRateSources>[number],
  index: number,
): Promise<Finding> {
  const { bid, source: name, observedAt } = await source.current()
  const seconds = Math.round((Date.now() - observedAt.getTime()) / 1000)
  const check = `rates.source_${index + 1}`
  const detail = `${name}: ${formatRate(bid)}, ${seconds} s old`
  return seconds > 180
    ? fail(check, detail, 'The source is stale: ask its operator, or replace it in RATE_SOURCES.')
    : ok(check, detail)
}
