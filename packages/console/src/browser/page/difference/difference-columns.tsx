import type { DifferenceJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import { State } from '../../ui/state.tsx'
import { Amount, Nothing, Time } from '../../ui/values.tsx'
import { RecordLink } from '../record-link.tsx'
import { takenByColumn } from '../case/case.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { checkTexts, differenceStatusTexts, differenceTexts } from './difference-texts.ts'

const tones = { open: 'bad', gone: 'quiet', closed: 'ok' } as const

export const DifferenceStatus = ({ of }: { readonly of: DifferenceJson['status'] }): VNode => (
  <State of={of} tones={tones} texts={differenceStatusTexts} />
)

export function Check({ of }: { readonly of: DifferenceJson['check'] }): VNode {
  const say = useSay()
  return <>{say(checkTexts[of])}</>
}

/** @param amount  null: there is none */
export const amountOf = (amount: DifferenceJson['expected']): VNode =>
  amount ? <Amount of={amount.amount} currency={amount.currency} /> : <Nothing />

export const differenceColumns: readonly Column<DifferenceJson>[] = [
  { head: differenceTexts.foundAt, cell: ({ found_at: at }) => <Time at={at} /> },
  {
    head: differenceTexts.one,
    cell: ({ id, check, kind }) => (
      <Link to={`/differences/${id}`} title={id}>
        <Check of={check} />: <code>{kind}</code>
      </Link>
    ),
    isName: true,
  },
  { head: recordTexts.status, cell: ({ status }) => <DifferenceStatus of={status} /> },
  { head: differenceTexts.expected, align: 'end', cell: ({ expected }) => amountOf(expected) },
  { head: differenceTexts.found, align: 'end', cell: ({ found }) => amountOf(found) },
  takenByColumn,
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: recordTexts.subject, cell: ({ subject }) => <RecordLink id={subject} isShort /> },
  { head: recordTexts.detail, align: 'wide', cell: ({ detail }) => <span lang="en">{detail}</span> },
]
