import type { DeliveryStatus, WebhookEndpoint } from '@quipu/core'
import type { DeliveryAttempt, EncryptedSecret, EventRecord } from '@quipu/core/adapter'
import type { NewestFirst } from '../newest-first.ts'

export type WebhookRow = {
  endpoint: WebhookEndpoint
  secrets: readonly EncryptedSecret[]
  /** Whether its last attempt failed or was slow. */
  isSlow: boolean
  /** The first failed attempt after the last one that succeeded. */
  failingSince: Date | null
  /** Whether the alert about that has been raised. */
  isFailingLong: boolean
  /** Incremented by each reactivation. A delivery of an older generation restarts its retries. */
  generation: number
  /** During catch-up after a pause: when deliveries were last claimed. Otherwise null. */
  catchUpAt: Date | null
  /** By event. */
  readonly deliveries: Map<string, DeliveryRow>
  /** The pending ones. */
  readonly open: Set<DeliveryRow>
  readonly order: NewestFirst
}

export type DeliveryRow = {
  readonly event: EventRecord
  /** A `pending` delivery of a paused endpoint is shown as `held`. */
  status: Exclude<DeliveryStatus, 'held'>
  /** When it may be claimed, while it is pending. */
  nextAt: Date
  generation: number
  /** The number of failed attempts in this generation. */
  attempt: number
  fencingToken: number
  /** The end of its lease, or of its time in a queue. */
  inFlightUntil: Date | null
  /** When it became due; set when it is queued, until it is claimed. */
  dueAt: Date | null
  isLeased: boolean
  lostLeases: number
  attempts: readonly DeliveryAttempt[]
  endedAt: Date | null
  /** The status before a resend was requested. */
  returnTo: Exclude<DeliveryStatus, 'pending'> | null
}
