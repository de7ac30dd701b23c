/** Which delivery a message is about. Nothing else is in a queue: the database is the schedule. */
export type DeliveryRef = { readonly endpointId: string; readonly eventId: string }

/** A message that somebody has received and must acknowledge. */
export type WakeMessage = {
  readonly ref: DeliveryRef
  /** Takes the message off the queue. A message that is not acknowledged comes again. */
  acknowledge(): Promise<void>
}

/**
 * Wakes workers. It may lose, repeat and reorder what it is given: a delivery that nobody claims is
 * put in again. Every method throws `Unavailable` when the queue cannot be reached.
 */
export type WakeQueue = {
  /**
   * Puts deliveries in. `group` is the tenant, for queues that are fair to groups.
   *
   * @returns those that the queue has not taken
   */
  put(
    deliveries: readonly (DeliveryRef & { readonly group: string })[],
  ): Promise<readonly DeliveryRef[]>
  /**
   * Waits for messages, at most so long, and answers as soon as there are any. Messages that are no
   * delivery's are dropped. What was called off through `signal` has found nothing.
   *
   * @param limit  whole, at least 1; a queue may give fewer at a time
   * @param waitSeconds  whole, 0 or more; a queue may wait less
   * @throws RangeError for other numbers
   */
  take(limit: number, waitSeconds: number, signal?: AbortSignal): Promise<readonly WakeMessage[]>
}
