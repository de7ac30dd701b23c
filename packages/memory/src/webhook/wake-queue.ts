import { type DeliveryRef, type Timer, Unavailable, type WakeQueue, within } from '@quipu/core'

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
  const lobby = openLobby(timer)
  const shelf = openShelf(() => timer(visibilitySeconds * 1_000), lobby.wake)
  let stopped = false
  const check = (): void => {
    if (stopped) throw new Unavailable('queue', 'stopped')
  }
  return {
    async put(deliveries) {
      check()
      const room = Math.max(0, capacity - shelf.size())
      // Copies: the same delivery put twice is two messages.
      const refs = deliveries.map(({ endpointId, eventId }) => ({ endpointId, eventId }))
      for (const ref of refs.slice(0, room)) shelf.add(ref)
      return refs.slice(room)
    },
    async take(limit, waitSeconds, signal) {
      check()
      if (!Number.isInteger(limit) || limit < 1) throw new RangeError('limit')
      if (!Number.isInteger(waitSeconds) || waitSeconds < 0) throw new RangeError('waitSeconds')
      if (signal?.aborted) return []
      if (shelf.isBare() && waitSeconds > 0) await lobby.wait(waitSeconds, signal)
      check()
      if (signal?.aborted) return []
      return shelf.give(limit).map(({ ref, remove }) => ({
        ref,
        async acknowledge() {
          check()
          remove()
        },
      }))
    },
    async stop() {
      stopped = true
      shelf.clear()
      lobby.wakeAll()
    },
  }
}

type Given = { readonly ref: DeliveryRef; remove(): void }

type Shelf = {
  /** Also those that are given out. */
  size(): number
  isBare(): boolean
  add(ref: DeliveryRef): void
  /** Gives out the oldest: they are back after a while unless they are removed. */
  give(limit: number): readonly Given[]
  clear(): void
}

function openShelf(visibility: () => ReturnType<Timer>, onArrival: () => void): Shelf {
  const ready = new Set<DeliveryRef>()
  const out = new Set<DeliveryRef>()
  const timers = new Set<() => void>()
  const add = (ref: DeliveryRef): void => {
    ready.add(ref)
    onArrival()
  }
  return {
    size: () => ready.size + out.size,
    isBare: () => ready.size === 0,
    add,
    give(limit) {
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
      for (const held of [ready, out, timers]) held.clear()
    },
  }
}

/** Where takers wait for a message: each message wakes the one who has waited longest. */
function openLobby(timer: Timer) {
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
        await within(timer, seconds * 1_000, woken)
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
