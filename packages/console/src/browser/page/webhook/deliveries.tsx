import type { OperatorDeliveryJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { type Filter, Filters } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { optionsOf } from '../../ui/state.tsx'
import type { PageProps } from '../page.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import { deliveryStatusTexts, deliveryTexts } from './webhook-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

/** The API lists deliveries by one of these. */
const required = ['tenant_id', 'endpoint_id', 'event_id']

const filters: readonly Filter[] = [
  tenantFilter,
  { name: 'endpoint_id', label: deliveryTexts.endpoint },
  { name: 'event_id', label: deliveryTexts.event },
  { name: 'status', label: recordTexts.status, options: optionsOf(deliveryStatusTexts) },
]

/** The deliveries of a tenant, an endpoint or an event. */
export function Deliveries({ title, query }: PageProps): VNode {
  const say = useSay()
  if (!required.some((name) => query.has(name)))
    return (
      <>
        <PageHead title={title} />
        <Filters path="/deliveries" query={query} filters={filters} />
        <div class="empty">{say(deliveryTexts.choose)}</div>
      </>
    )
  return (
    <ListPage<OperatorDeliveryJson>
      title={title}
      path="/deliveries"
      from="/webhook-deliveries"
      query={query}
      filters={filters}
      columns={deliveryColumns}
      empty={deliveryTexts.empty}
    />
  )
}
