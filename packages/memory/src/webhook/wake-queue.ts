import { type Timer, Unavailable } from '@quipu/core'
import { type WakeQueue, type DeliveryRef, withTimeout } from '@quipu/core/adapter'

/** The timer, and after how long a message is delivered again. */
export type MemoryWakeQueueOptions = {
  readonly timer: Timer
  /** Seconds until an unacknowledged message is delivered again. 60 by default. */
  readonly visibilitySeconds?: number
  /** The maximum number of messages, including unacknowledged ones. 100,000 by default. */
  readonly capacity?: number
}

/** A wake-up queue in memory that a host can end. */
export type MemoryWakeQueue = WakeQueue & {
  /** Drops every message. Waiting and later calls throw `Unavailable`. */
  stop(): Promise<void>
}

/** A queue within one process. `put` returns the messages above its capacity. */
export function memoryWakeQueue(options: MemoryWakeQueueOptions): MemoryWakeQueue {
  const { timer, visibilitySeconds = 60, capacity = 100_000 } = options
  const takers = waitingTakers(timer)
  const messages = messageBuffer(() => timer(visibilitySeconds * 1_000), takers.wake)
  let stopped = false
  const check = (): void => {
    if (stopped) throw new Unavailable('queue', 'stopped')
  }
  return {
    async put(deliveries) {
      check()
      const free = Math.max(0, capacity - messages.size())
      // Copies: the same delivery put twice is two messages.
      const refs = deliveries.map(({ endpointId, eventId }) => ({ endpointId, eventId }))
      for (const ref of refs.slice(0, free)) messages.add(ref)
      return refs.slice(free)
    },
    async take(limit, waitSeconds, signal) {
      check()
      if (!Number.isInteger(limit) || limit < 1) throw new RangeError('limit')
      if (!Number.isInteger(waitSeconds) || waitSeconds < 0) throw new RangeError('waitSeconds')
      if (signal?.aborted) return []
      if (messages.isEmpty() && waitSeconds > 0) await takers.wait(waitSeconds, signal)
      check()
      if (signal?.aborted) return []
      return messages.take(limit).map(({ ref, remove }) => ({
        ref,
        async acknowledge() {
          check()
          remove()
        },
      }))
    },
    async stop() {
      stopped = true
      messages.clear()
      takers.wakeAll()
    },
  }
}

type Taken = { readonly ref: DeliveryRef; remove(): void }

type MessageBuffer = {
  /** Includes unacknowledged messages. */
  size(): number
  isEmpty(): boolean
  add(ref: DeliveryRef): void
  /** Takes the oldest. They return after the visibility timeout unless they are removed. */
  take(limit: number): readonly Taken[]
  clear(): void
}

function messageBuffer(visibility: () => ReturnType<Timer>, onArrival: () => void): MessageBuffer {
  const ready = new Set<DeliveryRef>()
  const out = new Set<DeliveryRef>()
  const timers = new Set<() => void>()
  const add = (ref: DeliveryRef): void => {
    ready.add(ref)
    onArrival()
  }
  return {
    size: () => ready.size + out.size,
    isEmpty: () => ready.size === 0,
    add,
    take(limit) {
      const refs = first(ready, limit)
      if (refs.length === 0) return []
      for (const ref of refs) {
        ready.delete(ref)
        out.add(ref)
      }
      const { done, cancel } = visibility()
      timers.add(cancel)
      void done.then(() => {
        timers.delete(cancel)
        for (const ref of refs) if (out.delete(ref)) add(ref)
      })
      const remove = (ref: DeliveryRef): void => {
        ready.delete(ref)
        out.delete(ref)
        if (refs.some((other) => out.has(other))) return
        timers.delete(cancel)
        cancel()
      }
      return refs.map((ref) => ({ ref, remove: () => remove(ref) }))
    },
    clear() {
      for (const cancel of timers) cancel()
      for (const each of [ready, out, timers]) each.clear()
    },
  }
}

/** Callers of `take` that wait: each message wakes the one that has waited longest. */
function waitingTakers(timer: Timer) {
  const waiting = new Set<() => void>()
  return {
    wake() {
      for (const wake of waiting) {
        waiting.delete(wake)
        return wake()
      }
    },
    wakeAll() {
      for (const wake of waiting) wake()
    },
    async wait(seconds: number, signal?: AbortSignal): Promise<void> {
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      const wake = (): void => resolve()
      waiting.add(wake)
      signal?.addEventListener('abort', wake)
      try {
        await withTimeout(timer, seconds * 1_000, woken)
      } finally {
        waiting.delete(wake)
        signal?.removeEventListener('abort', wake)
      }
    },
  }
}

function first<T>(items: ReadonlySet<T>, limit: number): readonly T[] {
  const found: T[] = []
  for (const item of items) {
    if (found.length === limit) break
    found.push(item)
  }
  return found
}
