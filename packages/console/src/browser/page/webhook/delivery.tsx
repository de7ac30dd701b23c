import type { OperatorDeliveryJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { CopyId, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { answerOf, DeliveryStatus } from './delivery-columns.tsx'
import { deliveryTexts, endpointActionTexts, eventTexts } from './webhook-texts.ts'

type Attempt = OperatorDeliveryJson['attempts'][number]

const columns: readonly Column<Attempt>[] = [
  { head: recordTexts.at, cell: ({ at }) => <Time at={at} />, isName: true },
  { head: deliveryTexts.answer, cell: answerOf },
  { head: deliveryTexts.latency, align: 'end', cell: ({ latency_ms: ms }) => ms },
  {
    head: deliveryTexts.excerpt,
    align: 'wide',
    cell: ({ response_excerpt: excerpt }) => (excerpt === null ? <Nothing /> : <code>{excerpt}</code>),
  },
]

/** One delivery: an event, an endpoint, and each attempt. */
export function Delivery({ title, parameters }: PageProps): VNode {
  const say = useSay()
  const live = useLive<OperatorDeliveryJson>(`/webhook-deliveries/${encodeURIComponent(parameters['id'] ?? '')}`)
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data && ['delivered', 'exhausted'].includes(data.status) && <Resend of={data} />}
      </PageHead>
      <Loaded live={live}>
        {(delivery) => (
          <>
            <div class="section">
              <DeliveryFacts {...delivery} />
            </div>
            <Section heading={deliveryTexts.attempts}>
              <DataTable
                caption={say(deliveryTexts.attempts)}
                columns={columns}
                rows={delivery.attempts}
                keyOf={({ at }) => at}
                empty={say(deliveryTexts.noAttempt)}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

function DeliveryFacts(delivery: OperatorDeliveryJson): VNode {
  const { id, tenant_id: tenant, event_id: event, next_attempt_at: next } = delivery
  return (
    <Facts
      of={[
        [recordTexts.status, <DeliveryStatus key="status" of={delivery.status} />],
        [recordTexts.tenant, <TenantLink key="tenant" id={tenant} />],
        [eventTexts.type, delivery.event_type],
        [
          deliveryTexts.event,
          <Link key="event" to={`/events/${event}`}>
            <code>{event}</code>
          </Link>,
        ],
        [deliveryTexts.endpoint, <RecordLink key="endpoint" id={delivery.webhook_id} />],
        [recordTexts.id, <CopyId key="id" id={id} />],
        [recordTexts.created, <Time key="created" at={delivery.created_at} />],
        [deliveryTexts.next, next === null ? <Nothing /> : <Time at={next} />],
        [deliveryTexts.ended, delivery.ended_at === null ? <Nothing /> : <Time at={delivery.ended_at} />],
      ]}
    />
  )
}

type ResendProps = { readonly of: OperatorDeliveryJson }

function Resend({ of: { id, webhook_id: endpoint } }: ResendProps): VNode {
  const say = useSay()
  return (
    <ActionDialog
      label={say(endpointActionTexts.resend)}
      right="operator"
      change={() => ({ path: `/webhook-endpoints/${endpoint}/deliveries/${id}/resend` })}
      done={() => say(endpointActionTexts.resent)}
    >
      {say(endpointActionTexts.resendHint)}
    </ActionDialog>
  )
}
