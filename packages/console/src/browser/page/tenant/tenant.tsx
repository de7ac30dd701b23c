import type { OperatorWalletJson, PageJson, TenantJson, OperatorTopUpAddressJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { withQuery } from '../../route/router.ts'
import { noteTexts } from '../../text/note-texts.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { type Text, useSay } from '../../text/text.ts'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { Amount, CopyId, Nothing, Time } from '../../ui/values.tsx'
import { Keys } from '../key/keys.tsx'
import type { PageProps } from '../page.ts'
import { Movements } from './movements.tsx'
import { Activity } from './activity.tsx'
import { StatementForm } from './statement.tsx'
import { DetailActions, StatusAction, TermActions, WalletActions } from './tenant-actions.tsx'
import { keepTenantName } from './tenant-names.ts'
import { TenantStatus } from './tenant-status.tsx'
import { causeTexts, tenantActionTexts, tenantTexts } from './tenant-texts.ts'
import { Used } from './used.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'

/** One tenant: who it is, what it pays and may pay out, its wallet and its keys. */
export function Tenant({ title, parameters }: PageProps): VNode {
  const id = parameters['id'] ?? ''
  const live = useLive<TenantJson>(`/tenants/${encodeURIComponent(id)}`)
  const { data: tenant } = live
  useEffect(() => tenant && keepTenantName(tenant), [tenant])
  return (
    <>
      <PageHead title={tenant?.legal_name ?? title} live={live}>
        {tenant && <StatusAction tenant={tenant} />}
      </PageHead>
      <Loaded live={live}>{(loaded) => <Parts tenant={loaded} />}</Loaded>
    </>
  )
}

type PartsProps = { readonly tenant: TenantJson }

function Parts({ tenant }: PartsProps): VNode {
  const { id, status, technical_contact: contact, created_at: created } = tenant
  return (
    <>
      <Section heading={tenantTexts.details} actions={<DetailActions tenant={tenant} />}>
        <Facts
          of={[
            [recordTexts.status, <TenantStatus key="status" of={status} />],
            [recordTexts.id, <CopyId key="id" id={id} />],
            [tenantTexts.contactName, contact.name],
            [tenantTexts.contactEmail, contact.email],
            [recordTexts.created, <Time key="created" at={created} />],
          ]}
        />
      </Section>
      <Suspension tenant={tenant} />
      <Wallet tenant={tenant} />
      <Activity tenantId={id} />
      <Addresses tenantId={id} />
      <Terms tenant={tenant} />
      <Keys tenantId={id} />
      <Movements tenantId={id} />
      <StatementForm tenantId={id} />
      <Records tenantId={id} />
    </>
  )
}

function Suspension({ tenant: { suspension } }: PartsProps): VNode | null {
  const say = useSay()
  if (suspension === null) return null
  const { cause, reason, evidence, at } = suspension
  return (
    <Section heading={tenantTexts.suspension}>
      <Facts
        of={[
          [tenantActionTexts.cause, say(causeTexts[cause])],
          [tenantTexts.since, <Time key="at" at={at} />],
          [recordTexts.reason, reason],
          [noteTexts.evidence, evidence?.note ?? <Nothing />],
          [noteTexts.file, evidence ? <CopyId id={evidence.digest} /> : <Nothing />],
        ]}
      />
    </Section>
  )
}

function Terms({ tenant }: PartsProps): VNode {
  const say = useSay()
  const { used_today: used, daily_limit_usdt: amount, daily_limit_count: count } = tenant
  return (
    <Section heading={tenantTexts.terms} actions={<TermActions tenant={tenant} />}>
      {tenant.earns_nothing && <p class="box is-bad">{say(tenantTexts.free)}</p>}
      <Facts
        of={[
          [tenantTexts.margin, tenant.margin_bps],
          [tenantTexts.fee, tenant.fee_bps],
          [tenantTexts.feeFixed, <Amount key="fee" of={tenant.fee_fixed} currency="USDT" />],
          [tenantTexts.cap, <Amount key="cap" of={tenant.payment_cap_bob} currency="BOB" />],
          [
            tenantTexts.dailyAmount,
            amount === null ? say(tenantTexts.unlimited) : <Amount of={amount} currency="USDT" />,
          ],
          [tenantTexts.dailyCount, count ?? say(tenantTexts.unlimited)],
          [tenantTexts.usedAmount, <Used key="used" amount={used.amount} limit={amount} />],
          [tenantTexts.usedCount, used.count],
        ]}
      />
    </Section>
  )
}

function Wallet({ tenant }: PartsProps): VNode {
  const say = useSay()
  const live = useLive<PageJson<OperatorWalletJson>>(withQuery('/wallets', { tenant_id: tenant.id }))
  return (
    <Section heading={tenantTexts.wallet} actions={<WalletActions tenant={tenant} />}>
      <Loaded live={live}>
        {({ data: [wallet] }) =>
          wallet ? <Facts of={walletFacts(wallet)} /> : <div class="empty">{say(tenantTexts.noWallet)}</div>
        }
      </Loaded>
    </Section>
  )
}

const walletFacts = ({
  available,
  held,
  total,
  newest_entry_at: at,
}: OperatorWalletJson): readonly (readonly [Text, VNode])[] => [
  [tenantTexts.available, <Amount key="available" of={available} currency="USDT" />],
  [tenantTexts.held, <Amount key="held" of={held} currency="USDT" />],
  [tenantTexts.total, <Amount key="total" of={total} currency="USDT" />],
  [tenantTexts.newestEntry, at === null ? <Nothing /> : <Time at={at} />],
]

const recordPages: readonly (readonly [string, Text])[] = [
  ['/payouts', tenantTexts.payouts],
  ['/deposits', tenantTexts.deposits],
  ['/endpoints', tenantTexts.endpoints],
  ['/deliveries', tenantTexts.deliveries],
  ['/proposals', tenantTexts.proposals],
  ['/differences', tenantTexts.differences],
  ['/audit', tenantTexts.audit],
]

function Records({ tenantId }: { readonly tenantId: string }): VNode {
  const say = useSay()
  return (
    <Section heading={tenantTexts.records}>
      <ul class="links">
        {recordPages.map(([path, text]) => (
          <li key={path}>
            <Link to={withQuery(path, { tenant_id: tenantId })}>{say(text)}</Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Address = OperatorTopUpAddressJson

const columns: readonly Column<Address>[] = [
  { head: tenantTexts.address, cell: ({ address }) => <CopyId id={address} />, isName: true },
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  { head: tenantTexts.retiredAt, cell: ({ retired_at: at }) => (at === null ? <Nothing /> : <Time at={at} />) },
]

/** Where the tenant sends USDT, also its retired addresses. */
function Addresses({ tenantId }: { readonly tenantId: string }): VNode {
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
