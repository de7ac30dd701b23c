import type { OperatorTopUpAddressJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { CopyId, Nothing, Time } from '../../ui/values.tsx'
import { tenantTexts } from './tenant-texts.ts'

type Address = OperatorTopUpAddressJson

const columns: readonly Column<Address>[] = [
  { head: tenantTexts.address, cell: ({ address }) => <CopyId id={address} />, isName: true },
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  { head: tenantTexts.retiredAt, cell: ({ retired_at: at }) => (at === null ? <Nothing /> : <Time at={at} />) },
]

/** Where the tenant sends USDT, also its retired addresses. */
export function Addresses({ tenantId }: { readonly tenantId: string }): VNode {
  const say = useSay()
  const live = useLive<{ readonly data: readonly Address[] }>(`/tenants/${tenantId}/top-up-addresses`)
  return (
    <Section heading={tenantTexts.addresses}>
      <Loaded live={live}>
        {({ data }) => (
          <DataTable
            caption={say(tenantTexts.addresses)}
            columns={columns}
            rows={data}
            keyOf={({ address }) => address}
            empty={say(tenantTexts.noAddress)}
          />
        )}
      </Loaded>
    </Section>
  )
}
