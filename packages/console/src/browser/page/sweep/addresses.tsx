import type { PageJson, SweepAddressJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { withQuery } from '../../route/router.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { Csv } from '../../ui/csv.tsx'
import { type Column, DataTable, Pager } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Nothing, ShortId, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { usdt } from './sweep-columns.tsx'
import { sweepTexts } from './sweep-texts.ts'

const path = '/sweeps/addresses'

/** Each answer asks the chain. */
const refreshMs = 60_000

const columns: readonly Column<SweepAddressJson>[] = [
  { head: recordTexts.address, cell: ({ address }) => <code>{address}</code>, isName: true },
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: sweepTexts.balance, align: 'end', cell: ({ balance }) => usdt(balance) },
  { head: sweepTexts.expected, align: 'end', cell: ({ expected }) => usdt(expected) },
  { head: sweepTexts.live, cell: ({ live_transfer_id: id }) => (id === null ? <Nothing /> : <ShortId id={id} />) },
  { head: sweepTexts.index, align: 'end', cell: ({ derivation_index: index }) => index },
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
]

/** Balances of the top-up addresses, newest first. */
export function SweepAddresses({ title, query }: PageProps): VNode {
  const say = useSay()
  const live = useLive<PageJson<SweepAddressJson>>(
    withQuery('/sweep/addresses', { ...Object.fromEntries(query), limit: '50' }),
    refreshMs,
  )
  return (
    <>
      <PageHead title={title} live={live}>
        <Csv from="/sweep/addresses" filter={{}} />
      </PageHead>
      <p class="links">
        <Link to="/sweeps">{say(sweepTexts.toBatches)}</Link>
      </p>
      <Loaded live={live}>
        {(page) => (
          <>
            <DataTable
              caption={title}
              columns={columns}
              rows={page.data}
              keyOf={({ address }) => address}
              empty={say(sweepTexts.noAddress)}
            />
            <Pager path={path} query={query} page={page} />
          </>
        )}
      </Loaded>
    </>
  )
}
