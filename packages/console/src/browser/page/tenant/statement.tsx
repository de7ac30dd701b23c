import type { StatementJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { navigate, withQuery } from '../../route/router.ts'
import { type ApiZone, apiZoneOf, apiZones, dayIn, zone } from '../../preference/zone.ts'
import { useStore } from '../../store.ts'
import { useFormat } from '../../text/format.ts'
import { zoneTexts } from '../../text/layout-texts.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { Csv } from '../../ui/csv.tsx'
import { type Column, DataTable, Pager } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { Amount, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { TenantLink } from './tenant-link.tsx'
import { movementColumns } from './movements.tsx'
import { statementTexts } from './tenant-texts.ts'

type Row = StatementJson['data'][number]

const usdt = (amount: string): VNode => <Amount of={amount} currency="USDT" />

const columnsIn = (zone: ApiZone): readonly Column<Row>[] => [
  { head: recordTexts.at, cell: ({ created_at: at }) => <Time at={at} zone={zone} /> },
  movementColumns.kind,
  movementColumns.amount,
  {
    head: statementTexts.paid,
    align: 'end',
    cell: ({ target }) => (target ? <Amount of={target.amount} currency={target.currency} /> : <Nothing />),
  },
  { head: statementTexts.rate, align: 'end', cell: ({ rate }) => (rate ? <Decimal of={rate} /> : <Nothing />) },
  { head: statementTexts.fee, align: 'end', cell: ({ fee }) => (fee ? usdt(fee.amount) : <Nothing />) },
  { head: statementTexts.merchant, cell: ({ merchant }) => merchant?.name ?? <Nothing /> },
  movementColumns.balance,
  movementColumns.subject,
]

function Decimal({ of }: { readonly of: string }): VNode {
  return <span class="amount">{useFormat().amount(of)}</span>
}

/** Asks for the month or day of a statement: by default yesterday, which is final. */
export function StatementForm({ tenantId }: { readonly tenantId: string }): VNode {
  const say = useSay()
  const timezone = apiZoneOf(useStore(zone))
  const [period, setPeriod] = useState(dayIn(timezone, new Date(Date.now() - 86_400_000).toISOString()))
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    navigate(withQuery(`/tenants/${tenantId}/statements/${period}`, { timezone }))
  }
  return (
    <Section heading={statementTexts.title}>
      <form class="filters" onSubmit={submit}>
        <label>
          <span>
            {say(statementTexts.period)} <span class="muted">{say(zoneTexts[timezone])}</span>
          </span>
          <input
            required
            pattern="[0-9]{4}-[0-9]{2}(-[0-9]{2})?"
            title={say(statementTexts.periodHint)}
            placeholder={say(statementTexts.periodHint)}
            value={period}
            onInput={({ currentTarget }) => setPeriod(currentTarget.value)}
          />
        </label>
        <button type="submit">{say(statementTexts.show)}</button>
      </form>
    </Section>
  )
}

/** The movements of money of a tenant in a month or on a day. */
export function Statement({ title, parameters, query }: PageProps): VNode {
  const say = useSay()
  const { id = '', period = '' } = parameters
  const timezone = apiZones.find((each) => each === query.get('timezone')) ?? 'UTC'
  const path = `/tenants/${encodeURIComponent(id)}/statements/${encodeURIComponent(period)}`
  const live = useLive<StatementJson>(withQuery(path, { ...Object.fromEntries(query), limit: '50' }))
  return (
    <>
      <PageHead title={`${title}: ${period}`} live={live}>
        <Csv from={path} filter={{ timezone }} />
      </PageHead>
      <Loaded live={live}>
        {(statement) => (
          <>
            <div class="section">
              <Facts
                of={[
                  [recordTexts.tenant, <TenantLink key="tenant" id={id} />],
                  [recordTexts.status, <Closed key="status" of={statement.status} />],
                  [statementTexts.zone, say(zoneTexts[statement.timezone])],
                  [statementTexts.opening, usdt(statement.opening_balance)],
                  [statementTexts.closing, usdt(statement.closing_balance)],
                ]}
              />
            </div>
            <section>
              <DataTable
                caption={title}
                columns={columnsIn(timezone)}
                rows={statement.data}
                keyOf={(row) => row.id}
                empty={say(statementTexts.empty)}
              />
              <Pager path={path} query={query} page={statement} />
            </section>
          </>
        )}
      </Loaded>
    </>
  )
}

function Closed({ of }: { readonly of: StatementJson['status'] }): VNode {
  const say = useSay()
  return <Status tone={of === 'open' ? 'info' : 'ok'}>{say(statementTexts[of])}</Status>
}
