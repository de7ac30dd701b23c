import type { OperatorFaucetSendJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Filter } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { optionsOf, State } from '../../ui/state.tsx'
import { Amount, CopyId, ShortId, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { faucetStatusTexts, faucetTexts } from './deposit-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

const tones = { submitted: 'info', confirmed: 'ok', failed: 'bad' } as const

const SendStatus = ({ of }: { readonly of: OperatorFaucetSendJson['status'] }): VNode => (
  <State of={of} tones={tones} texts={faucetStatusTexts} />
)

const filters: readonly Filter[] = [
  { name: 'status', label: recordTexts.status, options: optionsOf(faucetStatusTexts) },
  tenantFilter,
  { name: 'address', label: recordTexts.address },
  { name: 'tx_hash', label: recordTexts.hash },
]

const columns: readonly Column<OperatorFaucetSendJson>[] = [
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    head: faucetTexts.one,
    cell: ({ id }) => (
      <Link to={`/faucet-sends/${id}`}>
        <ShortId id={id} />
      </Link>
    ),
    isName: true,
  },
  { head: recordTexts.status, cell: ({ status }) => <SendStatus of={status} /> },
  { head: recordTexts.amount, align: 'end', cell: ({ amount }) => <Amount of={amount} currency="USDT" /> },
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: recordTexts.address, cell: ({ address }) => <code>{address}</code> },
]

/** The test tokens that tenants of the sandbox were sent, newest first. */
export function FaucetSends({ title, query }: PageProps): VNode {
  return (
    <ListPage<OperatorFaucetSendJson>
      title={title}
      path="/faucet-sends"
      query={query}
      filters={filters}
      columns={columns}
      empty={faucetTexts.empty}
    />
  )
}

/** One send of the faucet. */
export function FaucetSend({ title, parameters }: PageProps): VNode {
  const live = useLive<OperatorFaucetSendJson>(`/faucet-sends/${encodeURIComponent(parameters['id'] ?? '')}`)
  return (
    <>
      <PageHead title={title} live={live} />
      <Loaded live={live}>
        {({ id, status, amount, tenant_id: tenant, address, tx_hash: hash, created_at: at }) => (
          <div class="section">
            <Facts
              of={[
                [recordTexts.status, <SendStatus key="status" of={status} />],
                [recordTexts.amount, <Amount key="amount" of={amount} currency="USDT" />],
                [recordTexts.tenant, <TenantLink key="tenant" id={tenant} />],
                [recordTexts.id, <CopyId key="id" id={id} />],
                [recordTexts.address, <CopyId key="address" id={address} />],
                [recordTexts.hash, <CopyId key="hash" id={hash} />],
                [recordTexts.created, <Time key="created" at={at} />],
              ]}
            />
          </div>
        )}
      </Loaded>
    </>
  )
}
