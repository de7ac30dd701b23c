import type { OperatorDeliveryJson, OperatorEndpointJson, ResumedEndpointJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { type Text, useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { noteOf, reasonField } from '../../ui/note-fields.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { CopyId, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { deliveryTexts, endpointActionTexts, endpointTexts } from './webhook-texts.ts'

/** One webhook endpoint: whether it receives, and what was sent to it. */
export function Endpoint({ title, parameters }: PageProps): VNode {
  const live = useLive<OperatorEndpointJson>(`/webhook-endpoints/${encodeURIComponent(parameters['id'] ?? '')}`)
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data && <EndpointAction endpoint={data} />}
      </PageHead>
      <Loaded live={live}>
        {(endpoint) => (
          <>
            <div class="section">
              <Facts of={factsOf(endpoint)} />
            </div>
            <ListSection<OperatorDeliveryJson>
              heading={deliveryTexts.title}
              from="/webhook-deliveries"
              filter={{ endpoint_id: endpoint.id }}
              all="/deliveries"
              columns={deliveryColumns}
              empty={deliveryTexts.empty}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

const timeOr = (at: string | null): VNode => (at === null ? <Nothing /> : <Time at={at} />)

function factsOf(endpoint: OperatorEndpointJson): readonly (readonly [Text, VNode | string | number])[] {
  const { operator_pause: pause } = endpoint
  return [
    [recordTexts.status, <EndpointState key="status" of={endpoint} />],
    [endpointTexts.url, endpoint.url],
    [recordTexts.tenant, <TenantLink key="tenant" id={endpoint.tenant_id} />],
    [endpointTexts.description, endpoint.description ?? <Nothing />],
    [endpointTexts.events, endpoint.events.join(', ')],
    [endpointTexts.secrets, <Secrets key="secrets" of={endpoint.secrets} />],
    [endpointTexts.queued, endpoint.queued],
    [endpointTexts.oldest, timeOr(endpoint.oldest_queued_at)],
    [endpointTexts.failing, timeOr(endpoint.failing_since)],
    [endpointTexts.exhausted, endpoint.consecutive_exhausted],
    [endpointTexts.pausedAt, timeOr(endpoint.paused_at)],
    [endpointTexts.pausedBy, pause ? pause.by : <PausedBy by={endpoint.paused_by} />],
    [endpointTexts.pauseReason, pause?.reason ?? <Nothing />],
    [recordTexts.id, <CopyId key="id" id={endpoint.id} />],
    [recordTexts.created, <Time key="created" at={endpoint.created_at} />],
  ]
}

function PausedBy({ by }: { readonly by: OperatorEndpointJson['paused_by'] }): VNode {
  const say = useSay()
  const text = by === 'failures' ? endpointTexts.byFailures : by === 'tenant' ? endpointTexts.byTenant : undefined
  return text ? <>{say(text)}</> : <Nothing />
}

/** The last four characters of each secret, and until when it signs. */
function Secrets({ of: secrets }: { readonly of: OperatorEndpointJson['secrets'] }): VNode {
  const say = useSay()
  return (
    <>
      {secrets.map(({ last_four, expires_at }) => (
        <div key={last_four}>
          …{last_four}
          {expires_at !== null && (
            <>
              {', '}
              {say(endpointTexts.signsUntil)} <Time at={expires_at} />
            </>
          )}
        </div>
      ))}
    </>
  )
}

type EndpointActionProps = { readonly endpoint: OperatorEndpointJson }

/** Pauses an endpoint, or resumes it. */
function EndpointAction({ endpoint }: EndpointActionProps): VNode {
  const say = useSay()
  const path = `/webhook-endpoints/${endpoint.id}`
  return endpoint.status === 'active' ? (
    <ActionDialog
      key="pause"
      label={say(endpointActionTexts.pause)}
      right="operator"
      isDanger
      fields={[reasonField]}
      change={(values) => ({ path: `${path}/pause`, body: noteOf(values) })}
      done={() => say(endpointActionTexts.paused)}
    >
      {say(endpointActionTexts.pauseHint)}
    </ActionDialog>
  ) : (
    <ActionDialog<ResumedEndpointJson>
      key="resume"
      label={say(endpointActionTexts.resume)}
      right="operator"
      fields={[{ ...reasonField, isOptional: true }]}
      change={(values) => ({ path: `${path}/resume`, body: noteOf(values) })}
      done={({ requeued, redelivered }) => say(endpointActionTexts.resumed, String(requeued + redelivered))}
    >
      {say(endpointActionTexts.resumeHint)}
    </ActionDialog>
  )
}
