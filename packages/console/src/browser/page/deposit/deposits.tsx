import type { OperatorDepositJson, ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { type Filter, periodFilters } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { noteOf, reasonField } from '../../ui/note-fields.ts'
import { optionsOf } from '../../ui/state.tsx'
import { Amount, ShortId, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { takenByColumn } from '../case/case.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { DepositStatus, isWaiting, Review } from './deposit-status.tsx'
import { depositActionTexts, depositStatusTexts, depositTexts, reviewTexts } from './deposit-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

const filters: readonly Filter[] = [
  { name: 'status', label: recordTexts.status, options: optionsOf(depositStatusTexts) },
  {
    name: 'open',
    label: depositTexts.waiting,
    options: [
      { value: 'true', label: depositTexts.waits },
      { value: 'false', label: depositTexts.over },
    ],
  },
  { name: 'review_code', label: depositTexts.review, options: optionsOf(reviewTexts) },
  tenantFilter,
  { name: 'tx_hash', label: recordTexts.hash },
  { name: 'address', label: depositTexts.to },
  ...periodFilters,
]

const columns: readonly Column<OperatorDepositJson>[] = [
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    head: depositTexts.one,
    cell: ({ id }) => (
      <Link to={`/deposits/${id}`}>
        <ShortId id={id} />
      </Link>
    ),
    isName: true,
  },
  { head: recordTexts.status, cell: (deposit) => <DepositStatus of={deposit} /> },
  {
    head: recordTexts.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Amount of={amount} currency={currency} />,
  },
  takenByColumn,
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: depositTexts.review, cell: ({ review_code: code }) => <Review code={code} /> },
  { head: depositTexts.from, cell: ({ from_address: from }) => <ShortId id={from} /> },
  { head: depositTexts.to, cell: ({ address }) => <ShortId id={address} /> },
]

type CloseShownProps = { readonly rows: readonly OperatorDepositJson[] }

/** Closes the open reviews of the page, which are of one tenant, by one proposal. */
function CloseShown({ rows }: CloseShownProps): VNode | null {
  const say = useSay()
  const open = rows.filter(isWaiting)
  const [tenant, ...others] = new Set(open.map(({ tenant_id: id }) => id))
  if (tenant === undefined || open.length < 2) return null
  return (
    <ActionDialog<ProposalJson>
      label={say(depositActionTexts.closeShown, String(open.length))}
      right="operator"
      refusal={others.length > 0 ? say(depositActionTexts.closeShownOfOne) : undefined}
      isDanger
      fields={[reasonField]}
      change={(values) => ({
        path: `/tenants/${tenant}/deposits/close`,
        body: { deposit_ids: open.map(({ id }) => id), ...noteOf(values) },
      })}
      done={({ status }) => say(status === 'open' ? recordTexts.proposed : depositActionTexts.closedShown)}
    >
      {say(depositActionTexts.closeShownHint)}
    </ActionDialog>
  )
}

/** The deposits of all tenants, newest first. */
export function Deposits({ title, query }: PageProps): VNode {
  return (
    <ListPage<OperatorDepositJson>
      title={title}
      path="/deposits"
      query={query}
      filters={filters}
      columns={columns}
      empty={depositTexts.empty}
      actionsOn={(rows) => <CloseShown rows={rows} />}
    />
  )
}
