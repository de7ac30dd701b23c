import {
  depositEventTypes,
  type EncodeEvent,
  type EventPlaces,
  type OutgoingEvent,
  payoutEventTypes,
} from '@quipu/core'
import { z } from 'zod'
import { idText, time, uuidText } from '../json/answer.ts'
import { deposit, depositToJson } from '../deposit/deposit.ts'
import { instantToJson } from '../json/instant.ts'
import { payout, payoutText } from '../payout/payout.ts'

const envelopeOf = <Type extends z.ZodType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    id: uuidText.meta({ description: 'The event’s id. Dedupe on it.' }),
    type,
    event_version: z.literal(1).meta({ override: { type: 'integer' } }),
    occurred_at: time,
    recorded_at: time,
    data,
  })

/** The body of a webhook delivery about a payout. @source spec §6 Envelope */
export const payoutEvent = envelopeOf(z.enum(payoutEventTypes), payout).meta({ id: 'PayoutEvent' })
export type PayoutEventJson = z.output<typeof payoutEvent>

/** The body of a webhook delivery about a deposit. @source spec §6 Envelope */
export const depositEvent = envelopeOf(z.enum(depositEventTypes), deposit).meta({
  id: 'DepositEvent',
})
export type DepositEventJson = z.output<typeof depositEvent>

/** The body of a delivery that tests an endpoint. @source spec §6 */
export const webhookTestEvent = envelopeOf(
  z.literal('webhook.test'),
  z.object({ webhook_id: idText('we').meta({ description: 'The endpoint that is tested.' }) }),
).meta({ id: 'WebhookTestEvent' })
export type WebhookTestEventJson = z.output<typeof webhookTestEvent>

/** An event as it was sent. */
export const event = z.union([payoutEvent, depositEvent]).meta({ id: 'Event' })

type EnvelopeJson = Omit<PayoutEventJson, 'type' | 'data'>

/** Makes an event's final bytes. @source spec §6 Envelope and §9: `event_version` is 1 */
export const encodeEvent: EncodeEvent = (event) => {
  const envelope = JSON.stringify({
    id: event.id,
    type: event.type,
    event_version: 1,
    occurred_at: instantToJson(event.occurredAt),
    recorded_at: instantToJson(event.recordedAt),
  } satisfies EnvelopeJson & { type: OutgoingEvent['type'] })
  const body = Buffer.from(`${envelope.slice(0, -1)},"data":${dataText(event)}}`)
  return { body, places: placesIn(envelope, body, event.type) }
}

/**
 * The envelope is ASCII: its characters are bytes. A string of the data cannot contain a member's name
 * with its quotes: JSON escapes them.
 */
function placesIn(envelope: string, body: Buffer, type: OutgoingEvent['type']): EventPlaces {
  const member = settledMembers[type]
  return {
    id: placeOf(envelope, 'id'),
    occurredAt: placeOf(envelope, 'occurred_at'),
    recordedAt: placeOf(envelope, 'recorded_at'),
    settledAt: member === undefined ? null : placeOf(body, member, envelope.length),
  }
}

/** Where the text of the first member of this name begins. */
const placeOf = (json: string | Buffer, member: string, from = 0): number =>
  json.indexOf(`"${member}":"`, from) + member.length + 4

const settledMembers: Partial<Record<OutgoingEvent['type'], string>> = {
  'payout.completed': 'completed_at',
  'deposit.credited': 'credited_at',
}

function dataText(event: OutgoingEvent): string {
  switch (event.type) {
    case 'payout.completed':
    case 'payout.failed':
    case 'payout.cancelled':
      return payoutText(event.data)
    case 'deposit.pending':
    case 'deposit.credited':
    case 'deposit.in_review':
      return JSON.stringify(depositToJson(event.data))
    case 'webhook.test':
      return JSON.stringify({
        webhook_id: event.data.webhookId,
      } satisfies WebhookTestEventJson['data'])
  }
}
