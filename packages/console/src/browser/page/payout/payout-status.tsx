import type { OperatorPayoutJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useSay } from '../../text/text.ts'
import type { Tone } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { payoutStatusTexts } from '../../text/volume-texts.ts'

type PayoutStatus = OperatorPayoutJson['status']

export const payoutStatuses = ['processing', 'completed', 'failed', 'rejected', 'cancelled'] as const

const tones: Readonly<Record<PayoutStatus, Tone>> = {
  processing: 'info',
  completed: 'ok',
  failed: 'bad',
  rejected: 'quiet',
  cancelled: 'quiet',
}

/** The status of a payout in a word. */
export function PayoutStatus({ of }: { readonly of: PayoutStatus }): VNode {
  const say = useSay()
  return <Status tone={tones[of]}>{say(payoutStatusTexts[of])}</Status>
}
