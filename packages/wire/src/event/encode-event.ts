import type { EncodeEvent } from '@quipu/core'
import type { OutgoingEvent } from '@quipu/core/adapter'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import { instantToJson } from '../json/instant.ts'
import { walletBalanceToJson } from '../ledger/wallet-balance-to-json.ts'
import { payoutText } from '../payout/payout-to-json.ts'
import type { PayoutEventJson, WebhookTestEventJson } from './event.ts'

type EnvelopeJson = Omit<PayoutEventJson, 'type' | 'data'>

/** Encodes an event to the bytes that are stored and sent. @source spec §6 Envelope, §9 */
export const encodeEvent: EncodeEvent = (event) => {
  const envelope = JSON.stringify({
    id: event.id,
    type: event.type,
    event_version: 1,
    occurred_at: instantToJson(event.occurredAt),
    recorded_at: instantToJson(event.recordedAt),
  } satisfies EnvelopeJson & { type: OutgoingEvent['type'] })
  return Buffer.from(`${envelope.slice(0, -1)},"data":${dataText(event)}}`)
}

function dataText(event: OutgoingEvent): string {
  switch (event.type) {
    case 'payout.completed':
    case 'payout.failed':
    case 'payout.cancelled':
    case 'payout.refunded':
      return payoutText(event.data)
    case 'deposit.pending':
    case 'deposit.credited':
    case 'deposit.in_review':
    case 'deposit.closed':
      return JSON.stringify(depositToJson(event.data))
    case 'wallet.balance_low':
    case 'wallet.balance_restored':
      return JSON.stringify(walletBalanceToJson(event.data))
    case 'webhook.test':
      return JSON.stringify({ webhook_id: event.data.webhookId } satisfies WebhookTestEventJson['data'])
  }
}
