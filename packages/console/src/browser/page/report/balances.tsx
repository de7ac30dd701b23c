import type { ExposureReportJson, LiquidityReportJson, MovementJson, PageJson, TrialBalanceJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { type ApiZone, apiZoneOf, zone } from '../../preference/zone.ts'
import { withQuery } from '../../route/router.ts'
import { useStore } from '../../store.ts'
import { useFormat } from '../../text/format.ts'
import { zoneTexts } from '../../text/layout-texts.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { volumeTexts } from '../../text/volume-texts.ts'
import { Chart } from '../../ui/chart.tsx'
import { Csv } from '../../ui/csv.tsx'
import { type Column, DataTable, Pager } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { Amount, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { accountTexts, basisTexts, movementTexts, reportTexts, sideTexts } from './report-texts.ts'

/** The trial balance, the exposure, the liquidity, and the operator's own movements. */
export function Balances({ title, query }: PageProps): VNode {
  const say = useSay()
  const timezone = apiZoneOf(useStore(zone))
  const live = useLive<TrialBalanceJson>(withQuery('/reports/trial-balance', { timezone }), 60_000)
  return (
    <>
      <PageHead title={title} live={live}>
        <Csv from="/reports/trial-balance" filter={{ timezone }} />
      </PageHead>
      <Section heading={reportTexts.trial}>
        <Loaded live={live}>
          {({ rows }) => (
            <DataTable
              caption={say(reportTexts.trial)}
              columns={lineColumns}
              rows={rows}
              keyOf={({ currency, side, account }) => `${currency} ${side} ${account}`}
              empty=""
            />
          )}
        </Loaded>
      </Section>
      <Exposed />
      <Liquid timezone={timezone} />
      <Movements query={query} />
    </>
  )
}

type Line = TrialBalanceJson['rows'][number]

function Named({ of: { side, account } }: { readonly of: Line }): VNode {
  return <>{useSay()(side === 'unexplained' ? sideTexts.unexplained : accountTexts[account])}</>
}

function Side({ of }: { readonly of: Line['side'] }): VNode {
  return <>{useSay()(sideTexts[of])}</>
}

function Basis({ of }: { readonly of: Line['basis'] }): VNode {
  const say = useSay()
  return <Status tone={of === 'observed' ? 'ok' : 'info'}>{say(basisTexts[of])}</Status>
}

/** An amount that no record explains is never passed over. */
function LineAmount({ of: { amount, currency, side } }: { readonly of: Line }): VNode {
  const shown = <Amount of={amount} currency={currency} />
  return side === 'unexplained' && /[1-9]/.test(amount) ? <Status tone="bad">{shown}</Status> : shown
}

const lineColumns: readonly Column<Line>[] = [
  { head: reportTexts.account, isName: true, cell: (line) => <Named of={line} /> },
  { head: reportTexts.side, cell: ({ side }) => <Side of={side} /> },
  { head: reportTexts.amount, align: 'end', cell: (line) => <LineAmount of={line} /> },
  { head: reportTexts.basis, cell: ({ basis }) => <Basis of={basis} /> },
  { head: reportTexts.asOf, cell: ({ as_of: at }) => <Time at={at} /> },
]

function Exposed(): VNode {
  const say = useSay()
  const live = useLive<ExposureReportJson>('/reports/exposure', 60_000)
  return (
    <Section heading={reportTexts.exposure}>
      <Loaded live={live}>
        {(each) => (
          <Facts
            of={[
              [
                reportTexts.exposure,
                <>
                  <Amount of={each.exposure_usdt} currency="USDT" />{' '}
                  {each.is_quoting_stopped && <Status tone="bad">{say(reportTexts.stopped)}</Status>}
                </>,
              ],
              [reportTexts.limit, each.limit_usdt ? <Amount of={each.limit_usdt} currency="USDT" /> : <Nothing />],
              [reportTexts.received, <Amount key="received" of={each.received_usdt} currency="USDT" />],
              [reportTexts.left, each.left ? <Amount of={each.left.available_bob} currency="BOB" /> : <Nothing />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Liquid({ timezone }: { readonly timezone: ApiZone }): VNode {
  const live = useLive<LiquidityReportJson>(withQuery('/reports/liquidity', { timezone }), 60_000)
  return (
    <Section heading={reportTexts.liquidity}>
      <Loaded live={live}>
        {(each) => (
          <>
            <Facts
              of={[
                [
                  reportTexts.left,
                  each.newest ? <Amount of={each.newest.available_bob} currency="BOB" /> : <Nothing />,
                ],
                [reportTexts.asOf, each.newest ? <Time at={each.newest.at} /> : <Nothing />],
                [reportTexts.floor, each.floor_bob ? <Amount of={each.floor_bob} currency="BOB" /> : <Nothing />],
                [reportTexts.belowFloor, each.below_floor_at ? <Time at={each.below_floor_at} /> : <Nothing />],
                [reportTexts.runsOut, each.runs_out_at ? <Time at={each.runs_out_at} /> : <Nothing />],
              ]}
            />
            {each.spend.length > 0 && <Spend {...each} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** The week from Sunday on, by a week that began on one. */
const sunday = Date.UTC(2026, 10, 1) / 1000

function Spend({ spend, timezone }: LiquidityReportJson): VNode {
  const say = useSay()
  const { count, hourAndMinute, weekday } = useFormat('UTC')
  const { instants, series } = useMemo(
    () => ({
      instants: spend.map(({ weekday, hour }) => sunday + (weekday * 24 + hour) * 3_600),
      series: [{ label: volumeTexts.bob, colour: '--accent', values: spend.map((each) => Number(each.mean_bob) || 0) }],
    }),
    [spend],
  )
  const nameOf = (seconds: number): string => {
    const iso = new Date(seconds * 1000).toISOString()
    return `${weekday(iso)} ${hourAndMinute(iso)}`
  }
  return (
    <Chart
      title={say(reportTexts.liquidity)}
      instants={instants}
      series={series}
      shape="bars"
      format={count}
      nameOf={nameOf}
      zone={say(zoneTexts[timezone])}
      unit="BOB"
    />
  )
}

function Kind({ of: { kind, reverses } }: { readonly of: MovementJson }): VNode {
  const say = useSay()
  return (
    <>
      {reverses !== null && '− '}
      {say(movementTexts[kind])}
    </>
  )
}

const movementColumns: readonly Column<MovementJson>[] = [
  { head: recordTexts.at, cell: ({ at }) => <Time at={at} /> },
  { head: reportTexts.kind, isName: true, cell: (each) => <Kind of={each} /> },
  { head: reportTexts.account, cell: ({ account }) => (account === null ? <Nothing /> : <AccountName of={account} />) },
  {
    head: reportTexts.amount,
    align: 'end',
    cell: ({ usdt, bob }) => (
      <>
        {usdt !== null && <Amount of={usdt} currency="USDT" />} {bob !== null && <Amount of={bob} currency="BOB" />}
      </>
    ),
  },
  { head: reportTexts.reference, cell: ({ reference }) => reference },
  { head: recordTexts.reason, align: 'wide', cell: ({ reason }) => reason },
  { head: reportTexts.by, cell: ({ created_by: by }) => by },
]

function AccountName({ of }: { readonly of: NonNullable<MovementJson['account']> }): VNode {
  return <>{useSay()(accountTexts[of])}</>
}

function Movements({ query }: Pick<PageProps, 'query'>): VNode {
  const say = useSay()
  const cursor = query.get('cursor')
  const live = useLive<PageJson<MovementJson>>(
    withQuery('/treasury', { limit: '20', ...(cursor !== null && { cursor }) }),
  )
  return (
    <Section heading={reportTexts.movements}>
      <Loaded live={live}>
        {(page) => (
          <>
            <DataTable
              caption={say(reportTexts.movements)}
              columns={movementColumns}
              rows={page.data}
              keyOf={({ id }) => id}
              empty={say(reportTexts.noMovements)}
            />
            <Pager path="/balances" query={query} page={page} />
          </>
        )}
      </Loaded>
    </Section>
  )
}
