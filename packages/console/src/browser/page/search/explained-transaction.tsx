import type { VNode } from 'preact'
import type { ExplainedTransactionJson } from '@quipu/wire'
import { useLive } from '../../api/live.ts'
import { withQuery } from '../../route/router.ts'
import { useSay } from '../../text/text.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { searchTexts } from './search-texts.ts'

type Transfer = ExplainedTransactionJson['transfers'][number]

const columns: readonly Column<Transfer>[] = [
  { head: searchTexts.address, cell: ({ address }) => <code>{address}</code>, isName: true },
  { head: searchTexts.amount, cell: ({ amount, contract }) => amount ?? <code>{contract}</code> },
  { head: searchTexts.outcome, cell: ({ outcome }) => outcome },
  { head: searchTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
]

/** A transaction on the chain: why it made deposits, or none. @param hash  64 lowercase hex digits */
export function ExplainedTransaction({ hash }: { readonly hash: string }): VNode {
  const say = useSay()
  const live = useLive<ExplainedTransactionJson>(withQuery('/transactions', { tx_hash: hash }))
  return (
    <section>
      <h2>{say(searchTexts.onChain)}</h2>
      <Loaded live={live}>
        {({ state, block, transfers, other_transfers: others }) => (
          <>
            <p>{state === 'solid' ? say(searchTexts.solid, { block: block ?? 0, others }) : say(searchTexts[state])}</p>
            {transfers.length > 0 && (
              <DataTable
                caption={say(searchTexts.onChain)}
                columns={columns}
                rows={transfers}
                keyOf={(transfer) => String(transfers.indexOf(transfer))}
                empty=""
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
