import type { VolumeReportJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { type ApiZone, apiZoneOf, dayIn, instantIn, zone } from '../../preference/zone.ts'
import { withQuery } from '../../route/router.ts'
import { useStore } from '../../store.ts'
import { useFormat } from '../../text/format.ts'
import { zoneTexts } from '../../text/layout-texts.ts'
import { useSay } from '../../text/text.ts'
import { Chart } from '../../ui/chart.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Amount } from '../../ui/values.tsx'
import { outcomes } from '../overview/activity.tsx'
import { overviewTexts } from '../overview/overview-texts.ts'
import { reportTexts } from '../report/report-texts.ts'
import { Ms, secondOf } from '../report/reports.tsx'
import { tenantTexts } from './tenant-texts.ts'

const dayMs = 86_400_000

/** The tenant's payouts of the last 30 days, by day and outcome, and what they amount to. */
export function Activity({ tenantId }: { readonly tenantId: string }): VNode {
  const say = useSay()
  const timezone = apiZoneOf(useStore(zone))
  const today = Date.parse(instantIn(timezone, dayIn(timezone, new Date().toISOString()), 'first'))
  const [from, to] = [today - 29 * dayMs, today + dayMs].map((ms) => new Date(ms).toISOString())
  const asked = { tenant_id: tenantId, from: from ?? '', to: to ?? '', timezone, by: 'day' }
  const live = useLive<VolumeReportJson>(withQuery('/reports/volume', asked), 60_000)
  return (
    <Section heading={tenantTexts.activity}>
      <Loaded live={live}>
        {(volume) =>
          volume.total.payouts === 0 ? <p class="empty">{say(tenantTexts.noActivity)}</p> : <Charts {...volume} />
        }
      </Loaded>
    </Section>
  )
}

function Charts({ rows, total, timezone }: VolumeReportJson): VNode {
  const say = useSay()
  const { count, day } = useFormat(timezone)
  const { instants, counts, volume } = useMemo(() => seriesOf(rows, timezone), [rows, timezone])
  const nameOf = (seconds: number): string => day(new Date(seconds * 1000).toISOString())
  const shared = { instants, nameOf, format: count, zone: say(zoneTexts[timezone]), shape: 'bars' as const }
  return (
    <>
      <Facts
        of={[
          [reportTexts.bob, <Amount key="bob" of={total.volume_bob} currency="BOB" />],
          [reportTexts.usdt, <Amount key="usdt" of={total.volume_usdt} currency="USDT" />],
          [reportTexts.ended, count(total.payouts)],
          [reportTexts.completed, count(total.outcomes.completed)],
          [reportTexts.median, <Ms key="median" of={total.median_ms} />],
          [reportTexts.p99, <Ms key="p99" of={total.p99_ms} />],
        ]}
      />
      <div class="charts">
        <Chart {...shared} title={say(overviewTexts.outcomes)} unit={say(overviewTexts.payouts)} series={counts} />
        <Chart {...shared} title={say(reportTexts.volume)} unit="BOB" series={volume} />
      </div>
    </>
  )
}

/** Bars are drawn by numbers; the exact amounts are in the reports. */
const seriesOf = (rows: VolumeReportJson['rows'], timezone: ApiZone) => ({
  instants: rows.map(({ key }) => secondOf(timezone, key)),
  counts: outcomes.map(({ label, outcome, colour }) => ({
    label,
    colour,
    values: rows.map((row) => row.outcomes[outcome]),
  })),
  volume: [{ label: reportTexts.bob, colour: '--accent', values: rows.map((row) => Number(row.volume_bob)) }],
})
