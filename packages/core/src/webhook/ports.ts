import type { KeyUse } from '../key-ring/key-ring.ts'
import type { Page, PagePosition, PageQuery } from '../page.ts'
import type { DeliveryAttempt, Delivery, DeliveryStatus } from './delivery.ts'
import type { EndpointPolicy, EncryptedSecret, WebhookEndpoint } from './endpoint.ts'
import type { RetryDecision } from './retry-policy.ts'
import type { DeliveryRef } from './wake-queue.ts'

/** An endpoint with its signing secrets. */
export type StoredEndpoint = {
  readonly endpoint: WebhookEndpoint
  /** Newest first. */
  readonly secrets: readonly EncryptedSecret[]
}

/** The signing secrets of an endpoint, as stored. */
export type EndpointSecrets = {
  readonly tenantId: string
  /** The endpoint's. */
  readonly id: string
  readonly secrets: readonly EncryptedSecret[]
}

/** The members of an endpoint that a tenant changes. */
export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'events' | 'description'>>

/** The result of a reactivation. */
export type Reactivated = {
  readonly endpoint: WebhookEndpoint
  /** How many deliveries were `held` or scheduled for a retry, and are due now. */
  readonly requeued: number
  /** How many deliveries were exhausted, and are due now. */
  readonly redelivered: number
}

/** Stores endpoints. Every method throws `Unavailable` when the database cannot be read or written. */
export type WebhookStore = {
  /** `limit_reached` when the tenant has `policy.endpointsPerTenant` endpoints. A repetition changes nothing. */
  insert(stored: StoredEndpoint, policy: EndpointPolicy): Promise<'committed' | 'limit_reached'>
  get(tenantId: string, id: string): Promise<StoredEndpoint | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(tenantId: string, query: PageQuery): Promise<Page<WebhookEndpoint>>
  /** The number of its deliveries that have not ended. */
  queued(tenantId: string, id: string): Promise<number>
  /** Undefined when there is no such endpoint. */
  update(tenantId: string, id: string, change: EndpointChange, at: Date): Promise<WebhookEndpoint | undefined>
  /** Deletes the endpoint and its deliveries that have not ended. False when there is none. */
  remove(tenantId: string, id: string): Promise<boolean>
  /** Endpoints with a secret that another key than this one encrypted, in the order of their ids. */
  listByOtherKeys(keyId: string, after: string, limit: number): Promise<readonly EndpointSecrets[]>
  /** Replaces the secrets by the same ones, encrypted anew. False when they are no longer those of `from`. */
  renewSecrets(from: EndpointSecrets, to: readonly EncryptedSecret[]): Promise<boolean>
  /** How many secrets each key encrypts. */
  keyUse(): Promise<readonly KeyUse[]>
  /** Replaces the secrets with the result of `rotate`, which is called once, under a lock. */
  rotate(
    tenantId: string,
    id: string,
    at: Date,
    rotate: (secrets: readonly EncryptedSecret[]) => readonly EncryptedSecret[] | undefined,
  ): Promise<'committed' | 'refused' | 'not_found'>
  /**
   * Pauses the endpoint: its deliveries queue until it is reactivated; attempts under way are made. Changes nothing
   * while an operator's pause lasts. Undefined when there is no such endpoint.
   */
  pause(tenantId: string, id: string, at: Date): Promise<WebhookEndpoint | undefined>
  /**
   * Activates the endpoint and resets its consecutive failures. Deliveries that were `held`, scheduled for a
   * retry, or exhausted within `policy.redeliverSeconds` are due now, with all attempts of the retry policy.
   * Atomic. `paused_by_operator`: nothing was written, as only an operator resumes it.
   */
  reactivate(
    tenantId: string,
    id: string,
    policy: EndpointPolicy,
    at: Date,
  ): Promise<Reactivated | 'paused_by_operator' | undefined>
}

/**
 * Deliveries of one endpoint that were claimed together for their first attempts. A store may record their
 * attempts together.
 */
export type ClaimedRun = {
  /** The number of the run at its endpoint. */
  readonly seq: bigint
  /** The number of its deliveries. */
  readonly size: number
}

/** A lease on a delivery. Every claim has a higher fencing token. */
export type DeliveryClaim = DeliveryRef & {
  readonly fencingToken: number
  /** The same object for all deliveries of a run. */
  readonly run?: ClaimedRun | undefined
}

/** A claimed delivery with what its attempt needs. */
export type ClaimedDelivery = {
  readonly claim: DeliveryClaim
  readonly tenantId: string
  readonly url: string
  /** Newest first; some may have expired since the claim. */
  readonly secrets: readonly EncryptedSecret[]
  /** The event's bytes. Throws when they were damaged in the store: this attempt fails, and no other. */
  readonly body: Uint8Array
  /** The number of this attempt in the retry policy, from 1. */
  readonly attempt: number
  /** A single attempt requested by the tenant: it is not counted. */
  readonly isResend: boolean
  /** How many leases expired without a record since the last record. */
  readonly lostLeases: number
  /** The W3C `traceparent` of the event's commit, if a trace records it. For hosts; the core ignores it. */
  readonly traceparent?: string | undefined
}

/** Which due deliveries to claim. */
export type DeliveryClaimQuery = {
  readonly limit: number
  readonly leaseSeconds: number
  /** The maximum number of an endpoint's deliveries that are leased or queued. */
  readonly perEndpoint: number
  /** The same for all of a tenant's endpoints in this class. */
  readonly perTenant: number
  /** `slow`: endpoints whose last answer was an error or took long; `fast`: the others. */
  readonly deliveryClass: 'fast' | 'slow'
  /** The maximum number of deliveries that become due in a second at an endpoint that catches up after a pause. */
  readonly catchUpPerSecond: number
}

/** The record of an attempt. */
export type AttemptRecord = {
  readonly claim: DeliveryClaim
  readonly attempt: DeliveryAttempt
  readonly decision: RetryDecision
  /** Whether the endpoint is in the slow class from now on. */
  readonly isSlow: boolean
  readonly pauseAfter: number
  /** The endpoint fails for long when no attempt has succeeded for this time. */
  readonly alertAfterSeconds: number
}

/** The result of recording an attempt. */
export type RecordedAttempt =
  | {
      readonly type: 'recorded'
      /** The endpoint's count, including this attempt. */
      readonly consecutiveFailures: number
      /** Whether this record paused the endpoint. */
      readonly hasPaused: boolean
      /** Only in the first record that finds the active endpoint failing for long, until an attempt succeeds. */
      readonly isFailingLong?: true
    }
  /** The claim is not the newest, or the delivery was deleted. Nothing was written. */
  | { readonly type: 'stale' }

/** A page of deliveries, filtered. */
export type DeliveryQuery = PageQuery & { readonly status?: DeliveryStatus }

/** The result of a request to resend a delivery. */
export type ResendResult = 'committed' | 'pending' | 'not_found'

/** Which events to replay: those since an instant, after the position where the last batch ended. */
export type ReplayQuery = PageQuery & { readonly since: Date }

/** A batch of replayed events. */
export type ReplayedBatch = {
  /** How many deliveries are due now; the others have an attempt scheduled or under way anyway. */
  readonly resent: number
  /** Null when no further event may be replayed. */
  readonly next: PagePosition | null
}

/** A delivery whose message goes to the queue. */
export type EnqueuedDelivery = DeliveryRef & {
  readonly tenantId: string
  /** It was enqueued before, and no worker has claimed it since: the queue refused or lost it, or is slow. */
  readonly wasQueued: boolean
}

/** Stores deliveries. Every method throws `Unavailable` when the database cannot be read or written. */
export type DeliveryStore = {
  get(tenantId: string, ref: DeliveryRef): Promise<Delivery | undefined>
  /** An endpoint's deliveries, newest first by (`createdAt`, event id): a position's `id` is an event id. */
  list(tenantId: string, endpointId: string, query: DeliveryQuery): Promise<Page<Delivery>>
  /**
   * Claims due deliveries of active endpoints. Endpoints take turns, and a tenant's share is bounded, so one
   * backlog does not delay another. Resends are also claimed while their endpoint is paused.
   */
  claimDue(query: DeliveryClaimQuery): Promise<readonly ClaimedDelivery[]>
  /** Claims a delivery that is due or enqueued; undefined when it is leased, held, scheduled for later or ended. */
  claim(ref: DeliveryRef, leaseSeconds: number): Promise<ClaimedDelivery | undefined>
  /**
   * Selects deliveries like `claimDue` for a queue, without leases: a worker claims each with `claim`. One that
   * is not claimed within `leaseSeconds` is due again, before what became due after it.
   */
  enqueue(query: DeliveryClaimQuery): Promise<readonly EnqueuedDelivery[]>
  /** Makes enqueued deliveries that are not claimed due again, since they first were. */
  requeue(refs: readonly DeliveryRef[]): Promise<void>
  /**
   * Records an attempt and its decision, if the claim's fencing token is the newest; answers after the write
   * is durable. Consecutive failures are counted in the order of the records; the failure that reaches
   * `pauseAfter` pauses the endpoint.
   */
  record(record: AttemptRecord): Promise<RecordedAttempt>
  /**
   * Makes a delivery that has ended, or is `held` and not leased, due for a single attempt, also while its
   * endpoint is paused. If the attempt fails, the delivery keeps its former status. The attempt counts neither
   * as a retry nor as a consecutive failure. `pending`: an attempt is scheduled or being made.
   * `paused_by_operator`: nothing was written, as only an operator resends at such an endpoint.
   */
  resend(tenantId: string, ref: DeliveryRef): Promise<ResendResult | 'paused_by_operator'>
  /**
   * Resends the deliveries of the next events of the log that the endpoint's filter has, oldest first, as `resend`
   * does each; an event of the time before the endpoint, or before its filter had the type, is delivered for the
   * first time. Atomic. A position is valid for the store that made it.
   * `future`: `since` is after the store's clock; nothing was written. No other instant is too old: events never expire.
   */
  replay(
    tenantId: string,
    endpointId: string,
    query: ReplayQuery,
  ): Promise<ReplayedBatch | 'not_found' | 'paused_by_operator' | 'future'>
}
