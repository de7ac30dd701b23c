import type { OperatorDepositJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { textOf, useSay } from '../../text/text.ts'
import { State } from '../../ui/state.tsx'
import { Nothing } from '../../ui/values.tsx'
import { depositStatusTexts, depositTexts, reviewTexts } from './deposit-texts.ts'

const tones = { pending: 'info', credited: 'ok', in_review: 'warn' } as const

export const isWaiting = ({ status, closed }: OperatorDepositJson): boolean => status === 'in_review' && closed === null

export function DepositStatus({ of }: { readonly of: OperatorDepositJson }): VNode {
  const say = useSay()
  return (
    <>
      <State of={of.status} tones={tones} texts={depositStatusTexts} />
      {of.closed && <span class="muted small"> {say(depositTexts.closed)}</span>}
    </>
  )
}

/** @param props.code  null: it is not in review */
export function Review({ code }: { readonly code: string | null }): VNode {
  const say = useSay()
  if (code === null) return <Nothing />
  const text = textOf(reviewTexts, code)
  return <span title={code}>{text ? say(text) : code}</span>
}
