import type { BacklogJson, FaultListJson, QuotingReportJson, PayoutActivityJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { textOf, useSay } from '../../text/text.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { PageProps } from '../page.ts'
import { faultTexts, overviewTexts } from './overview-texts.ts'
import { SafetyTiles, WorkTiles } from './tiles.tsx'
import { useMemo } from 'preact/hooks'
import { Link } from '../../route/link.tsx'
import { withQuery } from '../../route/router.ts'
import { useFormat } from '../../text/format.ts'
import { volumeTexts } from '../../text/volume-texts.ts'
import { Chart, type Series } from '../../ui/chart.tsx'
import { payoutOutcomes } from '../../ui/payout-outcomes.ts'

/** Whether money is safe, at one look. */
export function Overview({ title, query }: PageProps): VNode {
  const say = useSay()
  const backlog = useLive<BacklogJson>('/backlog')
  const rates = useLive<QuotingReportJson>('/rates')
  return (
    <>
      <PageHead title={title} live={backlog} />
      <Faults />
      <Loaded live={backlog}>
        {(data) => (
          <>
            <section>
              <h2>{say(overviewTexts.safety)}</h2>
              <SafetyTiles backlog={data} rates={rates.data} />
            </section>
            <section>
              <h2>{say(overviewTexts.work)}</h2>
              <WorkTiles backlog={data} />
            </section>
          </>
        )}
      </Loaded>
      <Activity query={query} />
    </>
  )
}

function Faults(): VNode {
  const say = useSay()
  const live = useLive<FaultListJson>('/faults')
  return (
    <section>
      <h2>{say(overviewTexts.faults)}</h2>
      <Loaded live={live}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="box is-ok">{say(overviewTexts.noFaults)}</p>
          ) : (
            <ul class="faults">
              {data.map(({ code, subject, detail }) => {
                const todo = textOf(faultTexts, code)
                return (
                  <li key={`${code} ${subject}`} class="box is-bad">
                    <p>
                      <strong>{code}</strong> <code>{subject}</code> <span lang="en">{detail}</span>
                    </p>
                    {todo && <p class="muted">{say(todo)}</p>}
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

const periods = [
  { hours: '1', name: overviewTexts.hour },
  { hours: '24', name: overviewTexts.day },
  { hours: '168', name: overviewTexts.week },
] as const

/** The payouts of a period, by outcome and by answer time. */
function Activity({ query }: { readonly query: URLSearchParams }): VNode {
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
