import type { RevenueReportJson, VolumeReportJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { type ApiZone, apiZoneOf, apiZones, dayIn, secondOf, zone } from '../../preference/zone.ts'
import { Link } from '../../route/link.tsx'
import { navigate, withQuery } from '../../route/router.ts'
import { useStore } from '../../store.ts'
import { useFormat } from '../../text/format.ts'
import { zoneTexts } from '../../text/layout-texts.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { volumeTexts } from '../../text/volume-texts.ts'
import { Chart } from '../../ui/chart.tsx'
import { Csv } from '../../ui/csv.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Status } from '../../ui/status.tsx'
import { Amount, Ms } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { reportTexts } from './report-texts.ts'

type RevenueRow = RevenueReportJson['total']
type VolumeRow = VolumeReportJson['total']
type Asked = { readonly period: string; readonly timezone: ApiZone }

/** Revenue and volume of a month or day: charts by day, tables by tenant. The address has period and zone. */
export function Reports({ title, query }: PageProps): VNode {
  const preferred = apiZoneOf(useStore(zone))
  const timezone = apiZones.find((each) => each === query.get('timezone')) ?? preferred
  const period = query.get('period') ?? dayIn(timezone, new Date().toISOString()).slice(0, 7)
  const asked = { period, timezone }
  const live = useLive<RevenueReportJson>(withQuery('/reports/revenue', { ...asked, by: 'day' }), 60_000)
  return (
    <>
      <PageHead title={title} live={live} />
      <Pickers key={`${period} ${timezone}`} {...asked} />
      <Loaded live={live}>
        {(revenue) => (
          <>
            <RevenueChart {...revenue} />
            <Revenue {...asked} />
            <Volume {...asked} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Pickers({ period, timezone }: Asked): VNode {
  const say = useSay()
  const [typed, setTyped] = useState(period)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    navigate(withQuery('/reports', { period: typed, timezone }))
  }
  return (
    <div class="section-head">
      <form class="filters" onSubmit={submit}>
        <label>
          <span>{say(reportTexts.period)}</span>
          <input
            required
            pattern="[0-9]{4}-[0-9]{2}(-[0-9]{2})?"
            title={say(reportTexts.periodHint)}
            placeholder={say(reportTexts.periodHint)}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit">{say(reportTexts.show)}</button>
      </form>
      <nav class="choices" aria-label={say(reportTexts.zone)}>
        {apiZones.map((each) => (
          <Link key={each} to={withQuery('/reports', { period, timezone: each })} isCurrent={each === timezone}>
            {say(zoneTexts[each])}
          </Link>
        ))}
      </nav>
    </div>
  )
}

function RevenueChart({ rows, timezone, status }: RevenueReportJson): VNode {
  const say = useSay()
  const { count, day, shortAmount } = useFormat(timezone)
  const { instants, revenue, volume } = useMemo(() => seriesOf(rows, timezone), [rows, timezone])
  const nameOf = (seconds: number): string => day(new Date(seconds * 1000).toISOString())
  const shared = { instants, nameOf, zone: say(zoneTexts[timezone]), shape: 'bars' as const }
  return (
    <section>
      <div class="section-head">
        <h2>{say(reportTexts.byDay)}</h2>
        <Status tone={status === 'open' ? 'info' : 'ok'}>{say(reportTexts[status])}</Status>
      </div>
      <div class="charts">
        <Chart {...shared} title={say(reportTexts.revenue)} unit="USDT" format={short} series={revenue} />
        <Chart {...shared} title={say(volumeTexts.volume)} unit="BOB" format={count} series={volume} />
      </div>
    </section>
  )

  function short(value: number): string {
    return value > 0 && value < 10 ? shortAmount(String(value)) : count(Math.round(value))
  }
}

/** Bars are drawn by numbers; every exact amount is in the tables. */
function seriesOf(rows: readonly RevenueRow[], timezone: ApiZone) {
  const startOf = ({ key }: RevenueRow) => secondOf(timezone, key)
  const days = rows.filter((row) => Number.isFinite(startOf(row)))
  const valuesOf = (textOf: (row: RevenueRow) => string) => days.map((row) => Number(textOf(row)) || 0)
  return {
    instants: days.map(startOf),
    revenue: [
      { label: reportTexts.spread, colour: '--accent', values: valuesOf((row) => row.spread_usdt) },
      { label: reportTexts.fee, colour: '--ok', values: valuesOf((row) => row.fee_usdt) },
    ],
    volume: [{ label: volumeTexts.bob, colour: '--accent', values: valuesOf((row) => row.volume_bob) }],
  }
}

const usdt = (of: string): VNode => <Amount of={of} currency="USDT" />
const bob = (of: string): VNode => <Amount of={of} currency="BOB" />

function Who({ row: { key } }: { readonly row: Pick<RevenueRow, 'key'> }): VNode {
  const say = useSay()
  return key === null ? <strong>{say(reportTexts.total)}</strong> : <TenantLink id={key} />
}

function Count({ of }: { readonly of: number }): VNode {
  return <>{useFormat().count(of)}</>
}

const who = {
  head: recordTexts.tenant,
  isName: true as const,
  cell: (row: RevenueRow | VolumeRow) => <Who row={row} />,
}

const revenueColumns: readonly Column<RevenueRow>[] = [
  who,
  { head: reportTexts.revenue, align: 'end', cell: (row) => usdt(row.revenue_usdt) },
  { head: reportTexts.spread, align: 'end', cell: (row) => usdt(row.spread_usdt) },
  { head: reportTexts.fee, align: 'end', cell: (row) => usdt(row.fee_usdt) },
  { head: reportTexts.spreadUndone, align: 'end', cell: (row) => usdt(row.refunded_spread_usdt) },
  { head: reportTexts.feeUndone, align: 'end', cell: (row) => usdt(row.refunded_fee_usdt) },
]

const volumeColumns: readonly Column<VolumeRow>[] = [
  who,
  { head: volumeTexts.bob, align: 'end', cell: (row) => bob(row.volume_bob) },
  { head: volumeTexts.usdt, align: 'end', cell: (row) => usdt(row.volume_usdt) },
  { head: volumeTexts.ended, align: 'end', cell: (row) => <Count of={row.payouts} /> },
  { head: volumeTexts.completed, align: 'end', cell: (row) => <Count of={row.outcomes.completed} /> },
  { head: volumeTexts.median, align: 'end', cell: (row) => <Ms of={row.median_ms} /> },
  { head: volumeTexts.p99, align: 'end', cell: (row) => <Ms of={row.p99_ms} /> },
]

const Revenue = (asked: Asked): VNode => (
  <ByTenant<RevenueRow> name="revenue" title={reportTexts.revenue} columns={revenueColumns} {...asked} />
)
const Volume = (asked: Asked): VNode => (
  <ByTenant<VolumeRow> name="volume" title={volumeTexts.volume} columns={volumeColumns} {...asked} />
)

type ByTenantProps<Row> = Asked & {
  readonly name: string
  readonly title: (typeof reportTexts)['revenue']
  readonly columns: readonly Column<Row>[]
}

/** The rows of all tenants, and their sum first. */
function ByTenant<Row extends Pick<RevenueRow, 'key'>>({ name, title, columns, ...asked }: ByTenantProps<Row>): VNode {
  const say = useSay()
  const path = `/reports/${name}`
  const live = useLive<{ rows: readonly Row[]; total: Row }>(withQuery(path, asked), 60_000)
  return (
    <section>
      <div class="section-head">
        <h2>
          {say(title)}, {say(reportTexts.byTenant).toLowerCase()}
        </h2>
        <Csv from={path} filter={asked} />
      </div>
      <Loaded live={live}>
        {({ rows, total }) => (
          <DataTable
            caption={say(title)}
            columns={columns}
            rows={rows.length === 0 ? [] : [total, ...rows]}
            keyOf={({ key }) => key ?? 'total'}
            empty={say(reportTexts.none)}
          />
        )}
      </Loaded>
    </section>
  )
}
