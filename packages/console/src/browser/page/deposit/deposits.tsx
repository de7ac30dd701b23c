import type { OperatorDepositJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import type { Column } from '../../ui/data-table.tsx'
import { type Filter, periodFilters } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { optionsOf } from '../../ui/state.tsx'
import { Amount, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { DepositStatus, Review } from './deposit-status.tsx'
import { depositStatusTexts, depositTexts, reviewTexts } from './deposit-texts.ts'

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
  { name: 'tenant_id', label: recordTexts.tenant },
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
        <code>{id}</code>
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
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: depositTexts.review, cell: ({ review_code: code }) => <Review code={code} /> },
  { head: depositTexts.from, cell: ({ from_address: from }) => <code>{from}</code> },
  { head: depositTexts.to, cell: ({ address }) => <code>{address}</code> },
]

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
    />
  )
}
