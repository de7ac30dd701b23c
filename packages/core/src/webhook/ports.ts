import type { Page, PageQuery } from '../page.ts'
import type { DeliveryAttempt, Delivery, DeliveryStatus } from './delivery.ts'
import type { EndpointPolicy, EncryptedSecret, WebhookEndpoint } from './endpoint.ts'
import type { RetryDecision } from './retry-policy.ts'
import type { DeliveryRef } from './wake-queue.ts'

/** An endpoint with what its deliveries are signed with. */
export type StoredEndpoint = {
  readonly endpoint: WebhookEndpoint
  /** Newest first. */
  readonly secrets: readonly EncryptedSecret[]
}

export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'events' | 'description'>>

export type Reactivated = {
  readonly endpoint: WebhookEndpoint
  /** How many were held, or waited for a later attempt and are due now. */
  readonly requeued: number
  /** How many had run out of attempts. */
  readonly redelivered: number
}

/** Every method throws `Unavailable` when the records cannot be read or written. */
export type WebhookStore = {
  /** `limit_reached` when the tenant has as many as it may have. */
  insert(stored: StoredEndpoint, policy: EndpointPolicy): Promise<'committed' | 'limit_reached'>
  get(tenantId: string, id: string): Promise<StoredEndpoint | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(tenantId: string, query: PageQuery): Promise<Page<WebhookEndpoint>>
  /** How many deliveries it has that have not ended. */
  queued(tenantId: string, id: string): Promise<number>
  /** Undefined when there is no such endpoint. */
  update(
    tenantId: string,
    id: string,
    change: EndpointChange,
    at: Date,
  ): Promise<WebhookEndpoint | undefined>
  /** Its deliveries that have not ended go with it. False when there is none. */
  remove(tenantId: string, id: string): Promise<boolean>
  /** Replaces the secrets by what `rotate` makes of them, which is called once, under a lock. */
  rotate(
    tenantId: string,
    id: string,
    at: Date,
    rotate: (secrets: readonly EncryptedSecret[]) => readonly EncryptedSecret[] | undefined,
  ): Promise<'committed' | 'refused' | 'not_found'>
  /**
   * Makes the endpoint active, without consecutive failures. Deliveries that were held are due now, each with a
   * full set of attempts, and so is each that waited for a later attempt or ran out of attempts within
   * `policy.redeliverSeconds`. All of it or nothing.
   */
  reactivate(
    tenantId: string,
    id: string,
    policy: EndpointPolicy,
    at: Date,
  ): Promise<Reactivated | undefined>
}

/**
 * Deliveries of one endpoint that were claimed together, each for its first attempt. A store may write
 * what came of them together.
 */
export type ClaimedRun = {
  /** Tells the runs of an endpoint apart. */
  readonly seq: bigint
  /** How many deliveries it has. */
  readonly size: number
}

/** A lease on a delivery. The fence grows with every claim. */
export type DeliveryClaim = DeliveryRef & {
  readonly fencingToken: number
  /** Of the deliveries of a run the same object. */
  readonly run?: ClaimedRun | undefined
}

export type ClaimedDelivery = {
  readonly claim: DeliveryClaim
  readonly tenantId: string
  readonly url: string
  /** Newest first; some may have expired meanwhile. */
  readonly secrets: readonly EncryptedSecret[]
  /** The event's bytes. */
  readonly body: Uint8Array
  /** Which attempt of its retry policy this will be, from 1. */
  readonly attempt: number
  /** A single attempt that a tenant has asked for: it is never counted. */
  readonly isResend: boolean
  /** How often its leases ended without a record, since the last one. */
  readonly lostLeases: number
}

export type DeliveryClaimQuery = {
  readonly limit: number
  readonly leaseSeconds: number
  /** So many deliveries of one endpoint may be out at once. */
  readonly perEndpoint: number
  /** So many of one tenant, at all of its endpoints in this lane together. */
  readonly perTenant: number
  /** `slow`: only endpoints whose last answer failed or took long; `fast`: only the others. */
  readonly deliveryClass: 'fast' | 'slow'
  /** While an endpoint catches up after a pause, at most so many are due in a second. */
  readonly catchUpPerSecond: number
}

export type AttemptRecord = {
  readonly claim: DeliveryClaim
  readonly attempt: DeliveryAttempt
  readonly decision: RetryDecision
  /** Whether the endpoint belongs into the slow lane now. */
  readonly isSlow: boolean
  readonly pauseAfter: number
}

export type RecordedAttempt =
  | {
      readonly type: 'recorded'
      /** What the endpoint stands at now. */
      readonly consecutiveFailures: number
      /** Whether this very record has paused it. */
      readonly hasPaused: boolean
    }
  /** The claim is no longer the newest, or the delivery is gone. Nothing was written. */
  | { readonly type: 'stale' }

export type DeliveryQuery = PageQuery & { readonly status?: DeliveryStatus }

/** Every method throws `Unavailable` when the records cannot be read or written. */
export type DeliveryStore = {
  get(tenantId: string, ref: DeliveryRef): Promise<Delivery | undefined>
  /** An endpoint's, newest first by (`createdAt`, event id): a position's `id` is an event's. */
  list(tenantId: string, endpointId: string, query: DeliveryQuery): Promise<Page<Delivery>>
  /**
   * Claims deliveries that are due, of endpoints that are active. Endpoints take turns, and a tenant
   * with many of them has a bounded share: nobody's backlog keeps another's waiting. Resends are
   * also claimed while their endpoint is paused.
   */
  claimDue(query: DeliveryClaimQuery): Promise<readonly ClaimedDelivery[]>
  /** Claims one that is due or was handed out; undefined when it is leased, held, later or gone. */
  claim(ref: DeliveryRef, leaseSeconds: number): Promise<ClaimedDelivery | undefined>
  /**
   * Hands out deliveries as `claimDue` would claim them, without leasing them: whoever is told may
   * claim them one by one. Those that nobody has claimed when `leaseSeconds` are over are due again.
   */
  enqueue(
    query: DeliveryClaimQuery,
  ): Promise<readonly (DeliveryRef & { readonly tenantId: string })[]>
  /** Makes what was handed out and not claimed due again. */
  requeue(refs: readonly DeliveryRef[]): Promise<void>
  /**
   * Records an attempt and what follows from it, if the claim's fence is the newest; answers after
   * it is durable. Consecutive failures count the deliveries that have ended there in the order in
   * which they are recorded; the one that makes it `pauseAfter` pauses the endpoint.
   */
  record(record: AttemptRecord): Promise<RecordedAttempt>
  /**
   * Makes a delivery that has ended, or is held and not out, due for a single attempt, also while its
   * endpoint is paused. If it fails the delivery is again what it was; neither its retries nor the
   * consecutive failures count it. `pending`: an attempt is due by itself or under way.
   */
  resend(tenantId: string, ref: DeliveryRef): Promise<'committed' | 'pending' | 'not_found'>
}
