import type { OperatorTopUpAddressJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { useTenantName } from './tenant-names.ts'
import { tenantActionTexts } from './tenant-texts.ts'

type RetireAddressProps = { readonly tenantId: string }

/** Retires the tenant's top-up address. */
export function RetireAddress({ tenantId }: RetireAddressProps): VNode {
  const say = useSay()
  const name = useTenantName(tenantId) ?? tenantId
  return (
    <ActionDialog<OperatorTopUpAddressJson>
      label={say(tenantActionTexts.retire)}
      right="operator"
      isDanger
      typed={name}
      change={() => ({ path: `/tenants/${tenantId}/top-up-addresses/rotate` })}
      done={({ address }) => say(tenantActionTexts.retired, address)}
    >
      {say(tenantActionTexts.retireHint)}
    </ActionDialog>
  )
}
