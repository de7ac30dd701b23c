import type { SweepBatchJson, SweepBatchSummaryJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { useFormat } from '../../text/format.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import { State } from '../../ui/state.tsx'
import { Status } from '../../ui/status.tsx'
import { Amount, Nothing, ShortId, Time } from '../../ui/values.tsx'
import { sweepProblemTexts, sweepStatusTexts, sweepTexts } from './sweep-texts.ts'

type Summary = SweepBatchSummaryJson
type Transfer = SweepBatchJson['transfers'][number]
type TransferStatus = Transfer['status']

const tones = { planned: 'warn', signed: 'info', solid: 'ok', failed: 'bad', expired: 'quiet' } as const

const statuses = Object.keys(tones) as readonly TransferStatus[]

/** How many transfers of a batch are in each state. */
function Counts({ of }: { readonly of: Summary['transfers'] }): VNode {
  const say = useSay()
  const { count } = useFormat()
  const found = statuses.filter((status) => of[status] > 0)
  return (
    <span class="badges">
      {found.map((status) => (
        <Status key={status} tone={tones[status]}>
          {`${count(of[status])} ${say(sweepStatusTexts[status])}`}
        </Status>
      ))}
    </span>
  )
}

export const usdt = (amount: string): VNode => <Amount of={amount} currency="USDT" />
export const trx = (amount: string): VNode => <Amount of={amount} currency="TRX" />

export const batchColumns: readonly Column<Summary>[] = [
  {
    head: sweepTexts.batch,
    cell: ({ id }) => (
      <Link to={`/sweeps/${id}`}>
        <code>{id}</code>
      </Link>
    ),
    isName: true,
  },
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  { head: sweepTexts.transfers, cell: ({ transfers }) => <Counts of={transfers} /> },
  { head: sweepTexts.threshold, align: 'end', cell: ({ threshold }) => usdt(threshold) },
  { head: sweepTexts.createdBy, cell: ({ created_by: by }) => by },
  { head: recordTexts.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
]

function Problem({ of: { problem } }: { readonly of: Transfer }): VNode {
  const say = useSay()
  return problem === null ? <Nothing /> : <>{say(sweepProblemTexts[problem])}</>
}

const timeOr = (at: string | null): VNode => (at === null ? <Nothing /> : <Time at={at} />)

export const transferColumns: readonly Column<Transfer>[] = [
  { head: recordTexts.address, cell: ({ id, address }) => <code title={id}>{address}</code>, isName: true },
  { head: recordTexts.status, cell: ({ status }) => <State of={status} tones={tones} texts={sweepStatusTexts} /> },
  { head: recordTexts.amount, align: 'end', cell: ({ amount }) => usdt(amount) },
  { head: sweepTexts.problem, align: 'wide', cell: (transfer) => <Problem of={transfer} /> },
  { head: sweepTexts.trxMissing, align: 'end', cell: ({ trx_missing: missing }) => trx(missing) },
  { head: sweepTexts.sent, cell: ({ sent_at: at }) => timeOr(at) },
  { head: sweepTexts.ended, cell: ({ ended_at: at }) => timeOr(at) },
  { head: recordTexts.hash, cell: ({ tx_id: hash }) => <ShortId id={hash} /> },
]
