import type { EventTypeFilter, OperatorDeliveryJson, OperatorEventJson, SentEventJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { Facts } from '../../ui/facts.tsx'
import { type Filter, periodFilters } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { CopyId, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { eventColumns } from './event-columns.tsx'
import { deliveryTexts, eventTexts } from './webhook-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

const types: Readonly<Record<EventTypeFilter, true>> = {
  'payout.completed': true,
  'payout.failed': true,
  'payout.cancelled': true,
  'payout.refunded': true,
  'deposit.pending': true,
  'deposit.credited': true,
  'deposit.in_review': true,
  'deposit.closed': true,
  'wallet.balance_low': true,
  'wallet.balance_restored': true,
}

const filters: readonly Filter[] = [
  {
    name: 'type',
    label: eventTexts.type,
    options: Object.keys(types).map((type) => ({ value: type, label: { en: type, es: type } })),
  },
  tenantFilter,
  { name: 'subject_id', label: recordTexts.subject },
  ...periodFilters,
]

/** The events of all tenants, newest first. */
export function Events({ title, query }: PageProps): VNode {
  return (
    <ListPage<OperatorEventJson>
      title={title}
      path="/events"
      query={query}
      filters={filters}
      columns={eventColumns}
      empty={eventTexts.empty}
    />
  )
}

/** One event, as its endpoints receive it. */
export function Event({ title, parameters }: PageProps): VNode {
  const live = useLive<SentEventJson>(`/events/${encodeURIComponent(parameters['id'] ?? '')}`)
  return (
    <>
      <PageHead title={title} live={live} />
      <Loaded live={live}>
        {(event) => (
          <>
            <div class="section">
              <Facts
                of={[
                  [eventTexts.type, event.type],
                  [recordTexts.tenant, <TenantLink key="tenant" id={event.tenant_id} />],
                  [recordTexts.subject, <RecordLink key="subject" id={event.subject_id} />],
                  [recordTexts.id, <CopyId key="id" id={event.id} />],
                  [eventTexts.occurred, <Time key="occurred" at={event.occurred_at} />],
                  [eventTexts.recorded, <Time key="recorded" at={event.recorded_at} />],
                ]}
              />
            </div>
            <ListSection<OperatorDeliveryJson>
              heading={deliveryTexts.title}
              from="/webhook-deliveries"
              filter={{ event_id: event.id }}
              all="/deliveries"
              columns={deliveryColumns}
              empty={deliveryTexts.empty}
            />
            <Section heading={eventTexts.body}>
              <pre class="json" tabIndex={0}>
                {JSON.stringify(event.body, null, 2)}
              </pre>
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}
