import type { VNode } from 'preact'
import { useFormat } from '../../text/format.ts'
import { useSay } from '../../text/text.ts'
import { Amount } from '../../ui/values.tsx'
import { tenantTexts } from './tenant-texts.ts'

type UsedProps = { readonly amount: string; readonly limit: string | null }

/** Today's debits of payouts, of the daily limit if there is one. */
export function Used({ amount, limit }: UsedProps): VNode {
  const say = useSay()
  const format = useFormat()
  if (limit === null) return <Amount of={amount} currency="USDT" />
  const used = [format.amount(amount), format.shortAmount(limit)] as const
  return (
    <span class="amount">
      {say(tenantTexts.of, used)} <span class="muted">USDT</span>
    </span>
  )
}
