import type { VNode } from 'preact'
import type { ExplainedTransactionJson } from '@quipu/wire'
import { useLive } from '../../api/live.ts'
import { withQuery } from '../../route/router.ts'
import { type Say, useSay } from '../../text/text.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Status } from '../../ui/status.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { type ChainFacts, outcomeTexts, searchTexts } from './search-texts.ts'

type Transfer = ExplainedTransactionJson['transfers'][number]

const columns: readonly Column<Transfer>[] = [
  {
    head: searchTexts.address,
    cell: ({ address, retired_at: retired }) => (
      <>
        <code>{address}</code> {retired !== null && <Retired />}
      </>
    ),
    isName: true,
  },
  { head: searchTexts.amount, cell: ({ amount, contract }) => amount ?? <code>{contract}</code> },
  { head: searchTexts.outcome, cell: ({ outcome }) => <Outcome of={outcome} /> },
  { head: searchTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
]

function Retired(): VNode {
  return <Status tone="warn">{useSay()(searchTexts.retired)}</Status>
}

function Outcome({ of }: { readonly of: Transfer['outcome'] }): VNode {
  return <>{useSay()(outcomeTexts[of])}</>
}

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
            <p>{sentence(say, state, { block: block ?? 0, others })}</p>
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

const sentence = (say: Say, state: ExplainedTransactionJson['state'], facts: ChainFacts): string =>
  state === 'solid' || state === 'not_yet_solid' ? say(searchTexts[state], facts) : say(searchTexts[state])
