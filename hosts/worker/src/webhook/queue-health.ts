import type { Clock } from '@quipu/core'

/** Whether the queue can be used. While it is down, deliveries are claimed from the database. */
export type QueueHealth = {
  isDown(): boolean
  /** The queue is down from now on for the configured pause. */
  noteFailure(): void
}

export function queueHealth(now: Clock, pauseMs: number): QueueHealth {
  let downUntil = 0
  return {
    isDown() {
      const leftMs = downUntil - now().getTime()
      return leftMs > 0 && leftMs <= pauseMs // A longer rest means that the clock was put back.
    },
    noteFailure: () => {
      downUntil = now().getTime() + pauseMs
    },
  }
}
