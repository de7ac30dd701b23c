import type { PayoutActivityJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { withQuery } from '../../route/router.ts'
import { useFormat } from '../../text/format.ts'
import { useSay } from '../../text/text.ts'
import { volumeTexts } from '../../text/volume-texts.ts'
import { Chart, type Series } from '../../ui/chart.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { payoutOutcomes } from '../../ui/payout-outcomes.ts'
import { overviewTexts } from './overview-texts.ts'

const periods = [
  { hours: '1', name: overviewTexts.hour },
  { hours: '24', name: overviewTexts.day },
  { hours: '168', name: overviewTexts.week },
] as const

/** The payouts of a period, by outcome and by answer time. */
export function Activity({ query }: { readonly query: URLSearchParams }): VNode {
  const say = useSay()
  const hours = periods.find((each) => each.hours === query.get('hours'))?.hours ?? '24'
  const live = useLive<PayoutActivityJson>(withQuery('/payout-activity', { hours }), 15_000)
  return (
    <section>
      <div class="section-head">
        <h2>{say(overviewTexts.activity)}</h2>
        <nav class="choices" aria-label={say(overviewTexts.period)}>
          {periods.map((each) => (
            <Link key={each.hours} to={withQuery('/', { hours: each.hours })} isCurrent={each.hours === hours}>
              {say(each.name)}
            </Link>
          ))}
        </nav>
      </div>
      <Loaded live={live}>{(activity) => <Charts {...activity} />}</Loaded>
    </section>
  )
}

const times = [
  { label: volumeTexts.median, member: 'median_ms', colour: '--accent' },
  { label: overviewTexts.p95, member: 'p95_ms', colour: '--warn' },
] as const

function Charts(activity: PayoutActivityJson): VNode {
  const say = useSay()
  const { count, instant, hourAndMinute, day, zone } = useFormat()
  const { instants, counts, answers } = useMemo(() => seriesOf(activity), [activity])
  if (activity.steps.length === 0) return <p class="empty">{say(overviewTexts.noPayouts)}</p>
  const isLong = activity.step_seconds > 3_600
  const nameOf = (seconds: number): string => {
    const iso = new Date(seconds * 1000).toISOString()
    return isLong ? day(iso) : hourAndMinute(iso)
  }
  const shared = { instants, nameOf, format: count, zone: zone(activity.to) }
  return (
    <>
      {activity.complete_from > activity.from && (
        <p class="muted small">{say(overviewTexts.incomplete, instant(activity.complete_from))}</p>
      )}
      <div class="charts">
        <Chart
          {...shared}
          title={say(volumeTexts.outcomes)}
          unit={say(volumeTexts.payouts)}
          series={counts}
          shape="bars"
        />
        <Chart {...shared} title={say(overviewTexts.answerTimes)} unit="ms" series={answers} shape="lines" />
      </div>
    </>
  )
}

/** Every step of the period, also those without payouts. */
function seriesOf({ from, to, step_seconds: step, steps }: PayoutActivityJson): {
  readonly instants: readonly number[]
  readonly counts: readonly Series[]
  readonly answers: readonly Series[]
} {
  const second = (iso: string): number => Date.parse(iso) / 1000
  const first = Math.ceil(second(from) / step) * step
  const instants = Array.from({ length: Math.floor((second(to) - first) / step) + 1 }, (_, at) => first + at * step)
  const found = new Map(steps.map((each) => [second(each.at), each]))
  return {
    instants,
    counts: payoutOutcomes.map(({ outcome, label, colour }) => ({
      label,
      colour,
      values: instants.map((at) => found.get(at)?.[outcome] ?? 0),
    })),
    answers: times.map(({ label, member, colour }) => ({
      label,
      colour,
      values: instants.map((at) => found.get(at)?.[member] ?? null),
    })),
  }
}
