import { httpRateSources, rateSource } from '@quipu/api/settings'
import { formatRate, type Rate, type RateSource } from '@quipu/core'
import { systemClock } from '@quipu/core/system'
import { fail, failing, type Finding, ok, reasonOf } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Each source of rates with its age, and whether together they give a rate. */
export async function checkRates(settings: ReadSettings): Promise<readonly Finding[]> {
  const { RATE_SOURCE } = settings
  if (RATE_SOURCE === undefined) return []
  const given = { ...settings, RATE_SOURCE }
  const answers = await Promise.all(httpRateSources(settings, systemClock).map(answerOf))
  const bids = answers.flatMap(({ bid }) => bid ?? [])
  const together = await failing(
    'rates',
    'Quotes are refused until it gives a rate. See its sources; with two that disagree, compare both with a third.',
    async () => {
      const { bid, source } = await rateSource({ RATE_BID: undefined, ...given }, systemClock).current()
      return [ok('rates', `${formatRate(bid)} BOB per USDT from ${source}`)]
    },
  )
  return [...answers.map((answer) => sourceFinding(answer, bids)), ...together]
}

/** The answer of a source: a bid and its age, or the reason why not. */
type Answer = {
  readonly check: string
  readonly detail: string
  readonly bid: Rate | undefined
  readonly seconds: number
}

async function answerOf(source: RateSource, index: number): Promise<Answer> {
  const check = `rates.source_${index + 1}`
  try {
    const { bid, source: name, observedAt } = await source.current()
    const seconds = Math.round((Date.now() - observedAt.getTime()) / 1000)
    return { check, detail: `${name}: ${formatRate(bid)}, ${seconds} s old`, bid, seconds }
  } catch (error) {
    return { check, detail: reasonOf(error), bid: undefined, seconds: 0 }
  }
}

function sourceFinding({ check, detail, bid, seconds }: Answer, bids: readonly Rate[]): Finding {
  if (bid === undefined)
    return fail(check, detail, 'Check the URL and bid_path in RATE_SOURCES, and the source’s status.')
  if (seconds > 180) return fail(check, detail, 'The source is stale: ask its operator, or replace it in RATE_SOURCES.')
  if (isAlone(bid, bids))
    return fail(
      check,
      `${detail}, more than 2 % from the median`,
      'The other sources contradict it: ask its operator, or replace it in RATE_SOURCES.',
    )
  return ok(check, detail)
}

/** Whether a bid is far from the median. Of two bids, neither is known to be the wrong one. */
function isAlone(bid: Rate, bids: readonly Rate[]): boolean {
  const median = bids.toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(bids.length / 2)]
  if (bids.length < 3 || median === undefined) return false
  const apart = bid > median ? bid - median : median - bid
  return apart * 50n > median
}
