import type { OperatorDeliveryJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import type { Column } from '../../ui/data-table.tsx'
import { State } from '../../ui/state.tsx'
import { Nothing, ShortId, Time } from '../../ui/values.tsx'
import { deliveryStatusTexts, deliveryTexts, eventTexts } from './webhook-texts.ts'

const tones = { pending: 'info', held: 'warn', delivered: 'ok', exhausted: 'bad' } as const

export const DeliveryStatus = ({ of }: { readonly of: OperatorDeliveryJson['status'] }): VNode => (
  <State of={of} tones={tones} texts={deliveryStatusTexts} />
)

type Attempt = OperatorDeliveryJson['attempts'][number]

/** The response. */
export const answerOf = ({ status_code: code, error }: Attempt): string =>
  [code, error].filter((part) => part !== null).join(' ')

export const deliveryColumns: readonly Column<OperatorDeliveryJson>[] = [
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    head: deliveryTexts.one,
    cell: ({ id }) => (
      <Link to={`/deliveries/${id}`}>
        <ShortId id={id} />
      </Link>
    ),
    isName: true,
  },
  { head: recordTexts.status, cell: ({ status }) => <DeliveryStatus of={status} /> },
  { head: eventTexts.type, cell: ({ event_type: type }) => type },
  { head: deliveryTexts.attempts, align: 'end', cell: ({ attempts }) => attempts.length },
  {
    head: deliveryTexts.answer,
    cell: ({ attempts }) => {
      const last = attempts.at(-1)
      return last ? answerOf(last) : <Nothing />
    },
  },
  { head: deliveryTexts.next, cell: ({ next_attempt_at: at }) => (at === null ? <Nothing /> : <Time at={at} />) },
]
