import { depositEventTypes, payoutEventTypes, walletEventTypes } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time, uuidText } from '../json/answer.ts'
import { deposit } from '../deposit/deposit.ts'
import { walletBalance } from '../ledger/wallet-balance.ts'
import { payout } from '../payout/payout.ts'

const envelopeOf = <Type extends z.ZodType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    id: uuidText.meta({ description: 'The event’s id. Deduplicate on it.' }),
    type,
    event_version: z.literal(1).meta({ override: { type: 'integer' } }),
    occurred_at: time,
    recorded_at: time,
    data,
  })

/** The body of a webhook delivery about a payout. @source spec §6 Envelope */
export const payoutEvent = envelopeOf(z.enum(payoutEventTypes), payout).meta({
  id: 'PayoutEvent',
  description: 'A payout has ended, or was refunded; `data` is the payout as it was then.',
})
export type PayoutEventJson = z.output<typeof payoutEvent>

/** The body of a webhook delivery about a deposit. @source spec §6 Envelope */
export const depositEvent = envelopeOf(z.enum(depositEventTypes), deposit).meta({
  id: 'DepositEvent',
  description: 'A deposit has reached the status of `type`; `data` is the deposit as it was then.',
})
export type DepositEventJson = z.output<typeof depositEvent>

/** The body of a webhook delivery about a wallet's balance. */
export const walletEvent = envelopeOf(z.enum(walletEventTypes), walletBalance).meta({
  id: 'WalletEvent',
  description: 'A balance fell below its threshold, or is back at it or above.',
})

/** The body of a delivery that tests an endpoint. @source spec §6 */
export const webhookTestEvent = envelopeOf(
  z.literal('webhook.test'),
  z.object({ webhook_id: idText('we').meta({ description: 'The tested endpoint.' }) }),
).meta({ id: 'WebhookTestEvent', description: 'A delivery that you asked for to test an endpoint.' })
export type WebhookTestEventJson = z.output<typeof webhookTestEvent>

/** An event as it was sent. */
export const event = z.union([payoutEvent, depositEvent, walletEvent]).meta({ id: 'QuipuEvent' })
