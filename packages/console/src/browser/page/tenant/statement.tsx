import type { StatementJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { navigate, withQuery } from '../../route/router.ts'
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
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from './tenant-link.tsx'
import { directionTexts, movementTexts, statementTexts } from './tenant-texts.ts'

type Row = StatementJson['data'][number]

const usdt = (amount: string): VNode => <Amount of={amount} currency="USDT" />

function Movement({ of: { type, direction } }: { readonly of: Row }): VNode {
  const say = useSay()
  return (
    <>
      {say(movementTexts[type])} <span class="muted">{say(directionTexts[direction])}</span>
    </>
  )
}

const columns: readonly Column<Row>[] = [
  { head: recordTexts.at, cell: ({ created_at: at }) => <Time at={at} /> },
  { head: statementTexts.movement, cell: (row) => <Movement of={row} />, isName: true },
  { head: recordTexts.amount, align: 'end', cell: ({ amount }) => usdt(amount) },
  { head: statementTexts.balance, align: 'end', cell: ({ balance_after: after }) => usdt(after) },
  {
    head: statementTexts.of,
    cell: ({ payout_id: payout, deposit_id: deposit }) => {
      const id = payout ?? deposit
      return id === null ? <Nothing /> : <RecordLink id={id} />
    },
  },
]

/** Asks for the day of a statement. */
export function StatementForm({ tenantId }: { readonly tenantId: string }): VNode {
  const say = useSay()
  const [day, setDay] = useState(new Date().toISOString().slice(0, 10))
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    navigate(`/tenants/${tenantId}/statements/${day}`)
  }
  return (
    <Section heading={statementTexts.title}>
      <form class="filters" onSubmit={submit}>
        <label>
          <span>{say(statementTexts.day)}</span>
          <input type="date" required value={day} onInput={({ currentTarget }) => setDay(currentTarget.value)} />
        </label>
        <button type="submit">{say(statementTexts.show)}</button>
      </form>
    </Section>
  )
}

/** The movements of money of a tenant on a day. */
export function Statement({ title, parameters, query }: PageProps): VNode {
  const say = useSay()
  const { id = '', day = '' } = parameters
  const path = `/tenants/${encodeURIComponent(id)}/statements/${encodeURIComponent(day)}`
  const live = useLive<StatementJson>(withQuery(path, { ...Object.fromEntries(query), limit: '50' }))
  return (
    <>
      <PageHead title={`${title}: ${day}`} live={live}>
        <Csv from={path} filter={{}} />
      </PageHead>
      <Loaded live={live}>
        {(statement) => (
          <>
            <div class="section">
              <Facts
                of={[
                  [recordTexts.tenant, <TenantLink key="tenant" id={id} />],
                  [recordTexts.status, <Closed key="status" of={statement.status} />],
                  [statementTexts.opening, usdt(statement.opening_balance)],
                  [statementTexts.closing, usdt(statement.closing_balance)],
                ]}
              />
            </div>
            <section>
              <DataTable
                caption={title}
                columns={columns}
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
