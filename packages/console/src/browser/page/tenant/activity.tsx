import type { VolumeReportJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { type ApiZone, apiZoneOf, dayIn, secondOf, zone } from '../../preference/zone.ts'
import { withQuery } from '../../route/router.ts'
import { useStore } from '../../store.ts'
import { useFormat } from '../../text/format.ts'
import { zoneTexts } from '../../text/layout-texts.ts'
import { useSay } from '../../text/text.ts'
import { volumeTexts } from '../../text/volume-texts.ts'
import { Chart } from '../../ui/chart.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { payoutOutcomes } from '../../ui/payout-outcomes.ts'
import { Section } from '../../ui/section.tsx'
import { Amount, Ms } from '../../ui/values.tsx'
import { tenantTexts } from './tenant-texts.ts'

const daySeconds = 86_400

/** The tenant's payouts of the last 30 days, by day and outcome, and what they amount to. */
export function Activity({ tenantId }: { readonly tenantId: string }): VNode {
  const say = useSay()
  const timezone = apiZoneOf(useStore(zone))
  const today = secondOf(timezone, dayIn(timezone, new Date().toISOString()))
  const [from, to] = [today - 29 * daySeconds, today + daySeconds].map((at) => new Date(at * 1000).toISOString())
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
          [volumeTexts.bob, <Amount key="bob" of={total.volume_bob} currency="BOB" />],
          [volumeTexts.usdt, <Amount key="usdt" of={total.volume_usdt} currency="USDT" />],
          [volumeTexts.ended, count(total.payouts)],
          [volumeTexts.completed, count(total.outcomes.completed)],
          [volumeTexts.median, <Ms key="median" of={total.median_ms} />],
          [volumeTexts.p99, <Ms key="p99" of={total.p99_ms} />],
        ]}
      />
      <div class="charts">
        <Chart {...shared} title={say(volumeTexts.outcomes)} unit={say(volumeTexts.payouts)} series={counts} />
        <Chart {...shared} title={say(volumeTexts.volume)} unit="BOB" series={volume} />
      </div>
    </>
  )
}

/** Bars are drawn by numbers; the exact amounts are in the reports. */
function seriesOf(rows: VolumeReportJson['rows'], timezone: ApiZone) {
  const days = rows.filter(({ key }) => Number.isFinite(secondOf(timezone, key)))
  return {
    instants: days.map(({ key }) => secondOf(timezone, key)),
    counts: payoutOutcomes.map(({ label, outcome, colour }) => ({
      label,
      colour,
      values: days.map((row) => row.outcomes[outcome]),
    })),
    volume: [{ label: volumeTexts.bob, colour: '--accent', values: days.map((row) => Number(row.volume_bob) || 0) }],
  }
}
