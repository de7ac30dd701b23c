import type { OperatorPayoutJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { type Filter, periodFilters } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Status } from '../../ui/status.tsx'
import { Amount, Nothing, ShortId, Time } from '../../ui/values.tsx'
import { takenByColumn } from '../case/case.tsx'
import type { PageProps } from '../page.ts'
import { PayoutStatus, payoutStatuses } from './payout-status.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { StopAction } from './payout-stop.tsx'
import { payoutStatusTexts } from '../../text/volume-texts.ts'
import { payoutTexts } from './payout-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: payoutTexts.status,
    options: payoutStatuses.map((value) => ({ value, label: payoutStatusTexts[value] })),
  },
  { name: 'attention', label: payoutTexts.attention, options: [{ value: 'true', label: payoutTexts.attentionOnly }] },
  tenantFilter,
  { name: 'merchant', label: payoutTexts.merchant },
  { name: 'target_from', label: payoutTexts.targetFrom },
  { name: 'target_to', label: payoutTexts.targetTo },
  { name: 'transaction_id', label: payoutTexts.transactionId },
  { name: 'network_reference', label: payoutTexts.networkReference },
  { name: 'key_id', label: payoutTexts.key },
  ...periodFilters,
]

const columns: readonly Column<OperatorPayoutJson>[] = [
  { head: payoutTexts.created, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    head: payoutTexts.id,
    cell: ({ id }) => (
      <Link to={`/payouts/${id}`}>
        <ShortId id={id} />
      </Link>
    ),
    isName: true,
  },
  {
    head: payoutTexts.status,
    cell: ({ status, open, error }) => (
      <>
        <PayoutStatus of={status} />{' '}
        {open?.alerts.map(({ code }) => (
          <Status key={code} tone="warn">
            {code}
          </Status>
        ))}
        {error && <span class="muted small">{error.code}</span>}
      </>
    ),
  },
  {
    head: payoutTexts.target,
    align: 'end',
    cell: ({ target }) => <Amount of={target.amount} currency={target.currency} />,
  },
  takenByColumn,
  { head: payoutTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: payoutTexts.merchant, cell: ({ qr }) => qr.merchant?.name ?? <Nothing /> },
  {
    head: payoutTexts.source,
    align: 'end',
    cell: ({ source }) => (source ? <Amount of={source.amount} currency={source.currency} /> : <Nothing />),
  },
]

/** The payouts of all tenants, newest first. */
export function Payouts({ title, query }: PageProps): VNode {
  return (
    <ListPage<OperatorPayoutJson>
      title={title}
      path="/payouts"
      query={query}
      filters={filters}
      columns={columns}
      empty={payoutTexts.empty}
      actions={<StopAction />}
    />
  )
}
