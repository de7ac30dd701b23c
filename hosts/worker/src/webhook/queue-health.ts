import type { Clock } from '@quipu/core'

/** Whether the queue is of use at the moment. While it is not, deliveries are claimed without it. */
export type QueueHealth = {
  isDown(): boolean
  noteFailure(): void
}

export function queueHealth(now: Clock, pauseMs: number): QueueHealth {
  let downUntil = 0
  return {
    isDown() {
      const leftMs = downUntil - now().getTime()
      return leftMs > 0 && leftMs <= pauseMs // More than that: the clock was put back.
    },
    noteFailure: () => {
      downUntil = now().getTime() + pauseMs
    },
  }
}
