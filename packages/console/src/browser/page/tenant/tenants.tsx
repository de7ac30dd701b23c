import type { TenantJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { navigate } from '../../route/router.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Amount, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { detailFields, detailsOf } from './tenant-fields.ts'
import { TenantStatus } from './tenant-status.tsx'
import { tenantActionTexts, tenantTexts } from './tenant-texts.ts'
import { Used } from './used.tsx'

const columns: readonly Column<TenantJson>[] = [
  {
    head: tenantTexts.name,
    cell: ({ id, legal_name: name }) => <Link to={`/tenants/${id}`}>{name}</Link>,
    isName: true,
  },
  { head: recordTexts.status, cell: ({ status }) => <TenantStatus of={status} /> },
  {
    head: tenantTexts.usedAmount,
    align: 'end',
    cell: ({ used_today: used, daily_limit_usdt: limit }) => <Used amount={used.amount} limit={limit} />,
  },
  { head: tenantTexts.usedCount, align: 'end', cell: ({ used_today: { count } }) => count },
  { head: tenantTexts.margin, align: 'end', cell: ({ margin_bps: margin }) => margin },
  { head: tenantTexts.fee, align: 'end', cell: ({ fee_bps: fee }) => fee },
  { head: tenantTexts.cap, align: 'end', cell: ({ payment_cap_bob: cap }) => <Amount of={cap} currency="BOB" /> },
  { head: tenantTexts.contactName, cell: ({ technical_contact: { name } }) => name },
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
]

/** Every tenant, newest first. */
export function Tenants({ title, query }: PageProps): VNode {
  const say = useSay()
  return (
    <ListPage<TenantJson>
      title={title}
      path="/tenants"
      query={query}
      filters={[{ name: 'text', label: tenantTexts.text }]}
      columns={columns}
      empty={tenantTexts.empty}
      actions={
        <ActionDialog<TenantJson>
          label={say(tenantActionTexts.create)}
          right="operator"
          fields={detailFields()}
          change={(values) => ({ path: '/tenants', body: detailsOf(values) })}
          done={({ legal_name: name }) => say(tenantActionTexts.created, name)}
          onDone={({ id }) => navigate(`/tenants/${id}`)}
        >
          {say(tenantActionTexts.createHint)}
        </ActionDialog>
      }
    />
  )
}
