import type { EncodeEvent } from '@quipu/core'
import { z } from 'zod'
import { time, uuidText } from './answer.ts'
import { instantToJson } from './instant.ts'
import { payout, payoutToJson } from './payout.ts'

/** @source spec §6 */
export const payoutEventTypes = ['payout.completed', 'payout.failed', 'payout.cancelled'] as const

/** The body of a webhook delivery about a payout. @source spec §6 Envelope */
export const payoutEvent = z
  .object({
    id: uuidText.meta({ description: 'The event’s id. Dedupe on it.' }),
    type: z.enum(payoutEventTypes),
    event_version: z.literal(1),
    occurred_at: time,
    recorded_at: time,
    data: payout,
  })
  .meta({ id: 'PayoutEvent' })
export type PayoutEventJson = z.output<typeof payoutEvent>

const utf8 = new TextEncoder()

/** Makes an event's final bytes. @source spec §6 Envelope and §9: `event_version` is 1 */
export const encodeEvent: EncodeEvent = (event) => {
  const envelope: PayoutEventJson = {
    id: event.id,
    type: event.type,
    event_version: 1,
    occurred_at: instantToJson(event.occurredAt),
    recorded_at: instantToJson(event.recordedAt),
    data: payoutToJson(event.data),
  }
  return utf8.encode(JSON.stringify(envelope))
}
