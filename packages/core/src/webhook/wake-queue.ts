/** The key of a delivery, and all of a message's content: the schedule is in the database. */
export type DeliveryRef = { readonly endpointId: string; readonly eventId: string }

/** A received message, to be acknowledged. */
export type WakeMessage = {
  readonly ref: DeliveryRef
  /** The W3C `traceparent` of the span that put it, if a trace records it. For hosts; the core ignores it. */
  readonly traceparent?: string | undefined
  /** Deletes the message. A message that is not acknowledged is received again. */
  acknowledge(): Promise<void>
}

/**
 * Wakes workers. May lose, repeat and reorder messages: an unclaimed delivery is enqueued again. Every
 * method throws `Unavailable` when the queue cannot be reached.
 */
export type WakeQueue = {
  /**
   * Adds messages. `group` is the tenant, for queues with fair groups.
   *
   * @returns the deliveries that the queue did not accept
   */
  put(deliveries: readonly (DeliveryRef & { readonly group: string })[]): Promise<readonly DeliveryRef[]>
  /**
   * Waits for messages, up to `waitSeconds`, and answers as soon as there are any. Drops messages that name
   * no delivery. Answers none when aborted by `signal`.
   *
   * @param limit  whole, at least 1; a queue may answer fewer
   * @param waitSeconds  whole, 0 or more; a queue may wait less
   * @throws RangeError for other numbers
   */
  take(limit: number, waitSeconds: number, signal?: AbortSignal): Promise<readonly WakeMessage[]>
}
