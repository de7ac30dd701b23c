import type { ProposalJson, TenantJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Field } from '../../ui/fields.tsx'
import { noteOf, optionalEvidenceFields, reasonField } from '../../ui/note-fields.ts'
import { optionsOf } from '../../ui/state.tsx'
import { RetireAddress } from './retire-address.tsx'
import { detailFields, detailsOf, limitFields, limitsOf, pricingFields, pricingOf } from './tenant-fields.ts'
import { causeTexts, directionTexts, tenantActionTexts } from './tenant-texts.ts'

type ActionProps = { readonly tenant: TenantJson }

/** Changes who the tenant is. */
export function DetailActions({ tenant }: ActionProps): VNode {
  const say = useSay()
  return (
    <>
      <ActionDialog
        label={say(tenantActionTexts.edit)}
        right="operator"
        fields={detailFields(tenant)}
        change={(values) => ({ path: `/tenants/${tenant.id}`, method: 'PATCH', body: detailsOf(values) })}
        done={() => say(tenantActionTexts.changed)}
      >
        {say(tenantActionTexts.editHint)}
      </ActionDialog>
      <ActionDialog
        label={say(tenantActionTexts.erase)}
        right="admin"
        isDanger
        typed={tenant.legal_name}
        change={() => ({ path: `/tenants/${tenant.id}/erase-contact` })}
        done={() => say(tenantActionTexts.erased)}
      >
        {say(tenantActionTexts.eraseHint)}
      </ActionDialog>
    </>
  )
}

/** Changes what the tenant pays, and how much it may pay out. */
export function TermActions({ tenant }: ActionProps): VNode {
  const say = useSay()
  const path = `/tenants/${tenant.id}`
  return (
    <>
      <ActionDialog<TenantJson | ProposalJson>
        label={say(tenantActionTexts.price)}
        right="admin"
        fields={pricingFields(tenant)}
        change={(values) => ({ path, method: 'PATCH', body: pricingOf(tenant, values) })}
        done={(answer) => say('action' in answer ? recordTexts.proposed : tenantActionTexts.changed)}
      >
        {say(tenantActionTexts.priceHint)}
      </ActionDialog>
      <ActionDialog<TenantJson | ProposalJson>
        label={say(tenantActionTexts.limit)}
        right="admin"
        fields={limitFields(tenant)}
        change={(values) => ({ path, method: 'PATCH', body: limitsOf(tenant, values) })}
        done={(answer) => say('action' in answer ? recordTexts.proposed : tenantActionTexts.changed)}
      >
        {say(tenantActionTexts.limitHint)}
      </ActionDialog>
    </>
  )
}

/** Suspends a tenant, or resumes it. */
export function StatusAction({ tenant }: ActionProps): VNode {
  const say = useSay()
  const { id, status, legal_name: name } = tenant
  return status === 'active' ? (
    <ActionDialog
      key="suspend"
      label={say(tenantActionTexts.suspend)}
      right="operator"
      isDanger
      typed={name}
      fields={suspensionFields}
      change={({ cause, ...values }) => ({ path: `/tenants/${id}/suspend`, body: { cause, ...noteOf(values) } })}
      done={() => say(tenantActionTexts.suspended)}
    >
      {say(tenantActionTexts.suspendHint)}
    </ActionDialog>
  ) : (
    <ActionDialog<TenantJson | ProposalJson>
      key="resume"
      label={say(tenantActionTexts.resume)}
      right="operator"
      fields={[reasonField, ...optionalEvidenceFields]}
      change={(values) => ({ path: `/tenants/${id}/resume`, body: noteOf(values) })}
      done={(answer) => say('action' in answer ? recordTexts.proposed : tenantActionTexts.resumed)}
    >
      {say(tenantActionTexts.resumeHint)}
    </ActionDialog>
  )
}

const suspensionFields: readonly Field[] = [
  { name: 'cause', kind: 'choice', label: tenantActionTexts.cause, options: optionsOf(causeTexts), initial: 'other' },
  reasonField,
  ...optionalEvidenceFields,
]

const adjustmentFields: readonly Field[] = [
  { name: 'direction', kind: 'choice', label: tenantActionTexts.direction, options: optionsOf(directionTexts) },
  { name: 'amount', kind: 'amount', label: tenantActionTexts.amountUsdt },
  reasonField,
  ...optionalEvidenceFields,
]

/** Moves money by hand, and retires the address that deposits go to. */
export function WalletActions({ tenant }: ActionProps): VNode {
  const say = useSay()
  const path = `/tenants/${tenant.id}`
  const adjusted = ({ status, failure }: ProposalJson): string => {
    if (status === 'open') return say(recordTexts.proposed)
    return failure === null ? say(tenantActionTexts.adjusted) : say(tenantActionTexts.notAdjusted, failure)
  }
  return (
    <>
      <ActionDialog<ProposalJson>
        label={say(tenantActionTexts.adjust)}
        right="operator"
        fields={adjustmentFields}
        change={(values) => ({
          path: `${path}/adjustments`,
          body: { direction: values['direction'], amount: values['amount'], ...noteOf(values) },
        })}
        done={adjusted}
      >
        {say(tenantActionTexts.adjustHint)}
      </ActionDialog>
      <RetireAddress tenantId={tenant.id} />
    </>
  )
}
