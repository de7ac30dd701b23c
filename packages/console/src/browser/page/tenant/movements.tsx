import type { WalletTransactionJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { Csv } from '../../ui/csv.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { Amount, Nothing, Time } from '../../ui/values.tsx'
import { RecordLink } from '../record-link.tsx'
import { directionTexts, movementTexts, statementTexts } from './tenant-texts.ts'

function Movement({
  of: { type, direction },
}: {
  readonly of: Pick<WalletTransactionJson, 'type' | 'direction'>
}): VNode {
  const say = useSay()
  return (
    <>
      {say(movementTexts[type])} {type === 'adjustment' && <span class="muted">{say(directionTexts[direction])}</span>}
    </>
  )
}

type Columns = Readonly<Record<'kind' | 'amount' | 'balance' | 'subject', Column<WalletTransactionJson>>>

/** The columns of a movement of money, but for its instant. */
export const movementColumns: Columns = {
  kind: { head: statementTexts.movement, cell: (row) => <Movement of={row} />, isName: true },
  amount: { head: recordTexts.amount, align: 'end', cell: ({ amount }) => <Amount of={amount} currency="USDT" /> },
  balance: {
    head: statementTexts.balance,
    align: 'end',
    cell: ({ balance_after: after }) => <Amount of={after} currency="USDT" />,
  },
  subject: {
    head: statementTexts.of,
    cell: ({ payout_id: payout, deposit_id: deposit }) => {
      const id = payout ?? deposit
      return id === null ? <Nothing /> : <RecordLink id={id} isShort />
    },
  },
}

const columns: readonly Column<WalletTransactionJson>[] = [
  { head: recordTexts.at, cell: ({ created_at: at }) => <Time at={at} /> },
  ...Object.values(movementColumns),
]

/** The newest movements of money of a tenant; the CSV has all of them. */
export function Movements({ tenantId }: { readonly tenantId: string }): VNode {
  const from = `/tenants/${tenantId}/wallet-transactions`
  return (
    <ListSection
      heading={statementTexts.movements}
      from={from}
      columns={columns}
      empty={statementTexts.empty}
      actions={<Csv from={from} filter={{}} />}
    />
  )
}
