import type { EncodeEvent } from '@quipu/core'
import { depositEndedAt, type EventPlaces, type OutgoingEvent } from '@quipu/core/adapter'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import { instantToJson } from '../json/instant.ts'
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
  const body = Buffer.from(`${envelope.slice(0, -1)},"data":${dataText(event)}}`)
  return { body, places: placesIn(envelope, body, event) }
}

/**
 * Finds the bytes that a commit may change. The envelope is ASCII, so its characters are bytes; JSON
 * escapes quotes, so no string of the data contains a quoted member name.
 */
function placesIn(envelope: string, body: Buffer, event: OutgoingEvent): EventPlaces {
  const member = settledMember(event)
  return {
    id: placeOf(envelope, 'id'),
    occurredAt: placeOf(envelope, 'occurred_at'),
    recordedAt: placeOf(envelope, 'recorded_at'),
    settledAt: member === undefined ? null : placeOf(body, member, envelope.length),
  }
}

/** The offset of the value of the first member with this name. */
const placeOf = (json: string | Buffer, member: string, from = 0): number =>
  json.indexOf(`"${member}":"`, from) + member.length + 4

/** The member of the data that has the instant of the commit. */
function settledMember(event: OutgoingEvent): string | undefined {
  if (event.type === 'payout.completed') return 'completed_at'
  if (event.type === 'deposit.credited') return 'credited_at'
  const isClosed =
    (event.type === 'deposit.in_review' || event.type === 'deposit.closed') && depositEndedAt(event.data) !== null
  return isClosed ? 'closed_at' : undefined
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
    case 'webhook.test':
      return JSON.stringify({ webhook_id: event.data.webhookId } satisfies WebhookTestEventJson['data'])
  }
}
