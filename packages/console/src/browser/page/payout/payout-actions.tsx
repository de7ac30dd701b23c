import type { QrNetworkJson, QueriedPayoutJson, OperatorPayoutJson } from '@quipu/wire'
import type { VNode } from 'preact'
import type { Change } from '../../api/action.ts'
import { useLive } from '../../api/live.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Field, Values } from '../../ui/fields.tsx'
import { evidenceFields, noteOf, optionalEvidenceFields, reasonField } from '../../ui/note-fields.ts'
import { payoutStatusTexts } from '../../text/volume-texts.ts'
import { payoutActionTexts } from './payout-texts.ts'

type PayoutActionsProps = {
  /** In `processing`. */
  readonly payout: OperatorPayoutJson
}

const outcomes = ['completed', 'failed', 'cancelled'] as const

const settlementFields: readonly Field[] = [
  {
    name: 'outcome',
    kind: 'choice',
    label: payoutActionTexts.outcome,
    options: outcomes.map((value) => ({ value, label: payoutStatusTexts[value] })),
  },
  {
    name: 'paid_amount',
    kind: 'amount',
    label: payoutActionTexts.paidAmount,
    hint: payoutActionTexts.paidAmountHint,
    isOptional: true,
  },
  { name: 'network_payment_id', kind: 'text', label: payoutActionTexts.paymentId, isOptional: true },
  {
    name: 'contradicts_network',
    kind: 'choice',
    label: payoutActionTexts.contradicts,
    hint: payoutActionTexts.contradictsHint,
    options: [
      { value: '', label: payoutActionTexts.agrees },
      { value: 'true', label: payoutActionTexts.differs },
    ],
    isOptional: true,
  },
  reasonField,
  ...evidenceFields,
]

/** Abilities are fixed while a process runs: they are read again for its successor alone. */
const capabilitiesEveryMs = 300_000

/** Actions of an operator on a payout that hangs; cancelling only where the network does. */
export function PayoutActions({ payout }: PayoutActionsProps): VNode {
  const say = useSay()
  const path = `/payouts/${payout.id}`
  const { data: network } = useLive<QrNetworkJson>('/network', capabilitiesEveryMs)
  const queried = ({ payout: { status } }: QueriedPayoutJson): string =>
    say(payoutActionTexts.queried, say(payoutStatusTexts[status]))
  return (
    <>
      <ActionDialog
        label={say(payoutActionTexts.query)}
        right="operator"
        change={() => ({ path: `${path}/query` })}
        done={queried}
      >
        {say(payoutActionTexts.askHint)}
      </ActionDialog>
      {network?.configured.capabilities.unpaid_proof === 'cancel' && (
        <ActionDialog
          label={say(payoutActionTexts.cancel)}
          right="operator"
          isDanger
          change={() => ({ path: `${path}/cancel` })}
          done={queried}
        >
          {say(payoutActionTexts.cancelHint)}
        </ActionDialog>
      )}
      <ActionDialog
        label={say(payoutActionTexts.settle)}
        right="operator"
        fields={settlementFields}
        change={(values) => settlementOf(path, values)}
        done={() => say(payoutActionTexts.proposed)}
      >
        {say(payoutActionTexts.settleHint)}
      </ActionDialog>
    </>
  )
}

const refundFields: readonly Field[] = [
  {
    name: 'amount',
    kind: 'amount',
    label: payoutActionTexts.refundAmount,
    hint: payoutActionTexts.refundAmountHint,
    isOptional: true,
  },
  reasonField,
  ...optionalEvidenceFields,
]

/** Actions of an operator on a completed payout whose payment the network returned. */
export function RefundAction({ payout }: { readonly payout: OperatorPayoutJson }): VNode {
  const say = useSay()
  return (
    <ActionDialog
      label={say(payoutActionTexts.refund)}
      right="operator"
      fields={refundFields}
      change={(values) => ({
        path: `/payouts/${payout.id}/refund`,
        body: { ...(values['amount'] !== '' && { amount: values['amount'] }), ...noteOf(values) },
      })}
      done={() => say(payoutActionTexts.proposed)}
    >
      {say(payoutActionTexts.refundHint)}
    </ActionDialog>
  )
}

function settlementOf(path: string, values: Values): Change {
  const { outcome, paid_amount: paid, network_payment_id: paymentId } = values
  return {
    path: `${path}/settle`,
    body: {
      outcome,
      ...(paid !== '' && { paid_amount: paid }),
      ...(paymentId !== '' && { network_payment_id: paymentId }),
      ...(values['contradicts_network'] === 'true' && { contradicts_network: true }),
      ...noteOf(values),
    },
  }
}
