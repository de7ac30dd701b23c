import { sha256 } from '../digest.ts'
import type { TenantEventType } from '../event/event.ts'
import type { AttemptResult } from './sender.ts'

/** One recorded attempt. */
export type DeliveryAttempt = AttemptResult & { readonly at: Date }

/**
 * `held`: queued while its endpoint is paused. `pending`: an attempt is scheduled or being made. The others have ended.
 *
 * @source spec §6.4; the names are assumed
 */
export type DeliveryStatus = 'pending' | 'held' | 'delivered' | 'exhausted'

/** The delivery of one event to one endpoint; the two name it. */
export type Delivery = {
  readonly tenantId: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: TenantEventType
  /** When its event was recorded. */
  readonly createdAt: Date
  readonly status: DeliveryStatus
  /** Null unless it is `pending`. */
  readonly nextAttemptAt: Date | null
  /** Null until it has ended. */
  readonly endedAt: Date | null
  /** Oldest first; the newest 24. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** The number of a delivery's newest attempts that are stored. */
export const attemptsOnRecord = 24

/** The number of UTF-8 bytes of an answer that are stored. */
export const excerptBytesMax = 1_024

const lastMs = 253_402_300_799_999 // 9999-12-31T23:59:59.999Z
const hexDigits = 20
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The id of a delivery: `dlv_` and a ULID of the event's time and of the rest of its id, XORed with a digest
 * of the endpoint's. It is derived and not stored, and sorts like the events.
 */
export function deliveryId(endpointId: string, eventId: string): string {
  const hex = eventId.replaceAll('-', '')
  const rest = mix(endpointId, BigInt(`0x${hex.slice(-hexDigits)}`))
  return `dlv_${base32(BigInt(`0x${hex.slice(0, -hexDigits)}`), 10)}${base32(rest, 16)}`
}

/** The event id in a delivery's id; undefined when it is not an id of this endpoint's deliveries. */
export function eventIdOfDelivery(endpointId: string, id: string): string | undefined {
  const [, time, rest] = /^dlv_([0-7][0-9A-HJKMNP-TV-Z]{9})([0-9A-HJKMNP-TV-Z]{16})$/.exec(id) ?? []
  if (time === undefined || rest === undefined) return undefined
  const tail = mix(endpointId, valueOf(rest)).toString(16).padStart(hexDigits, '0')
  const hex = valueOf(time).toString(16).padStart(12, '0') + tail
  const parts = /^(.{8})(.{4})(7.{3})([89ab].{3})(.{12})$/.exec(hex)
  return parts?.slice(1).join('-')
}

/** The instant in a delivery's id: that of its event, in whole milliseconds. Undefined for any other text. */
export function instantOfDelivery(id: string): Date | undefined {
  const [, time] = /^dlv_([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? []
  const ms = time === undefined ? Number.NaN : Number(valueOf(time))
  return ms <= lastMs ? new Date(ms) : undefined
}

const mix = (endpointId: string, value: bigint): bigint => value ^ BigInt(`0x${sha256(endpointId).slice(0, hexDigits)}`)

function base32(value: bigint, digits: number): string {
  let text = ''
  for (let left = value; text.length < digits; left /= 32n) text = crockford.charAt(Number(left % 32n)) + text
  return text
}

const valueOf = (digits: string): bigint =>
  Array.from(digits).reduce((sum, digit) => sum * 32n + BigInt(crockford.indexOf(digit)), 0n)
