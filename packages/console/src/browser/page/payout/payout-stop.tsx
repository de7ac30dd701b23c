import type { PayoutStopJson, ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { noteOf, optionalEvidenceFields, reasonField } from '../../ui/note-fields.ts'
import { Time } from '../../ui/values.tsx'
import { payoutStopTexts } from './payout-texts.ts'

const path = '/payouts/stop'

/** Stops payouts, or proposes to start them again. */
export function StopAction(): VNode | null {
  const say = useSay()
  const { data } = useLive<PayoutStopJson>(path)
  if (data === undefined) return null
  return data.status === 'open' ? (
    <ActionDialog
      key="stop"
      label={say(payoutStopTexts.stop)}
      right="operator"
      isDanger
      fields={[reasonField]}
      change={(values) => ({ path, body: noteOf(values) })}
      done={() => say(payoutStopTexts.stopped)}
    >
      {say(payoutStopTexts.stopHint)}
    </ActionDialog>
  ) : (
    <ActionDialog<ProposalJson>
      key="start"
      label={say(payoutStopTexts.start)}
      right="operator"
      fields={[reasonField, ...optionalEvidenceFields]}
      change={(values) => ({ path: '/payouts/start', body: noteOf(values) })}
      done={() => say(recordTexts.proposed)}
    >
      {say(payoutStopTexts.startHint)}
    </ActionDialog>
  )
}

/** On every page while payouts are stopped. */
export function StopBanner(): VNode | null {
  const say = useSay()
  const { data } = useLive<PayoutStopJson>(path)
  if (data?.status !== 'stopped') return null
  const { stopped_by: by, stopped_at: at, reason } = data
  return (
    <p class="box is-bad" role="status">
      <strong>{say(payoutStopTexts.banner)}</strong> {by}, {at !== null && <Time at={at} />}: {reason}
    </p>
  )
}
