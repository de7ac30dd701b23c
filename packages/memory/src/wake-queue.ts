import {
  type DeliveryRef,
  type Timer,
  Unavailable,
  type WakeMessage,
  type WakeQueue,
} from '@quipu/core'

export type MemoryWakeQueueOptions = {
  readonly timer: Timer
  /** A message that is not acknowledged comes again after so many seconds. 60 by default. */
  readonly visibilitySeconds?: number
  /** So many messages at most, also those that are being worked on. 100,000 by default. */
  readonly capacity?: number
}

export type MemoryWakeQueue = WakeQueue & {
  /** Forgets every message. What waits, and every call from now on, ends as `Unavailable`. */
  stop(): Promise<void>
}

/** A queue inside one process. What is over its capacity is not taken. */
export function memoryWakeQueue(options: MemoryWakeQueueOptions): MemoryWakeQueue {
  const { timer, visibilitySeconds = 60, capacity = 100_000 } = options
  const ready = new Set<DeliveryRef>()
  const hidden = new Set<DeliveryRef>()
  const waiting = new Set<() => void>()
  const hiding = new Set<() => void>()
  let stopped = false
  const check = (): void => {
    if (stopped) throw new Unavailable('queue', 'stopped')
  }
  const offer = (ref: DeliveryRef): void => {
    ready.add(ref)
    for (const wake of waiting) {
      waiting.delete(wake)
      return wake()
    }
  }
  /** Gives them out, to come again unless every one is acknowledged before the time is over. */
  const give = (given: readonly DeliveryRef[]): readonly WakeMessage[] => {
    if (given.length === 0) return []
    for (const ref of given) {
      ready.delete(ref)
      hidden.add(ref)
    }
    const { done, cancel } = timer(visibilitySeconds * 1_000)
    hiding.add(cancel)
    void done.then(() => {
      hiding.delete(cancel)
      for (const ref of given) if (hidden.delete(ref)) offer(ref)
    })
    return given.map((ref) => ({
      ref,
      async acknowledge() {
        check()
        ready.delete(ref)
        hidden.delete(ref)
        if (given.some((other) => hidden.has(other))) return
        hiding.delete(cancel)
        cancel()
      },
    }))
  }
  return {
    async put(deliveries) {
      check()
      const room = Math.max(0, capacity - ready.size - hidden.size)
      // Copies: the same delivery put twice is two messages.
      const refs = deliveries.map(({ endpointId, eventId }) => ({ endpointId, eventId }))
      for (const ref of refs.slice(0, room)) offer(ref)
      return refs.slice(room)
    },
    async take(limit, waitSeconds, signal) {
      check()
      if (!Number.isInteger(limit) || limit < 1) throw new RangeError('limit')
      if (!Number.isInteger(waitSeconds) || waitSeconds < 0) throw new RangeError('waitSeconds')
      if (signal?.aborted) return []
      if (ready.size === 0 && waitSeconds > 0) await arrival(timer(waitSeconds * 1_000), signal)
      check()
      return signal?.aborted ? [] : give(ready.values().take(limit).toArray())
    },
    async stop() {
      stopped = true
      for (const end of [...waiting, ...hiding]) end()
      for (const held of [ready, hidden, waiting, hiding]) held.clear()
    },
  }

  /** Resolves when a message is there, the time is over, or it is called off. */
  async function arrival(patience: ReturnType<Timer>, signal?: AbortSignal): Promise<void> {
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
    waiting.add(wake)
    signal?.addEventListener('abort', wake)
    try {
      await Promise.race([woken, patience.done])
    } finally {
      patience.cancel()
      waiting.delete(wake)
      signal?.removeEventListener('abort', wake)
    }
  }
}
