import type { OperatorEndpointJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import type { Column } from '../../ui/data-table.tsx'
import type { Filter } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { endpointStateTexts, endpointTexts } from './webhook-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: recordTexts.status,
    options: [
      { value: 'active', label: endpointStateTexts.active },
      { value: 'paused', label: endpointStateTexts.paused },
    ],
  },
  tenantFilter,
]

const timeOr = (at: string | null): VNode => (at === null ? <Nothing /> : <Time at={at} />)

const columns: readonly Column<OperatorEndpointJson>[] = [
  {
    head: endpointTexts.url,
    cell: ({ id, url }) => (
      <Link to={`/endpoints/${id}`} title={id}>
        {url}
      </Link>
    ),
    align: 'wide',
    isName: true,
  },
  { head: recordTexts.status, cell: (endpoint) => <EndpointState of={endpoint} /> },
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: endpointTexts.queued, align: 'end', cell: ({ queued }) => queued },
  { head: endpointTexts.oldest, cell: ({ oldest_queued_at: at }) => timeOr(at) },
  { head: endpointTexts.failing, cell: ({ failing_since: at }) => timeOr(at) },
  { head: endpointTexts.exhausted, align: 'end', cell: ({ consecutive_exhausted: count }) => count },
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
]

/** The webhook endpoints of all tenants, newest first. */
export function Endpoints({ title, query }: PageProps): VNode {
  return (
    <ListPage<OperatorEndpointJson>
      title={title}
      path="/endpoints"
      from="/webhook-endpoints"
      query={query}
      filters={filters}
      columns={columns}
      empty={endpointTexts.empty}
    />
  )
}
