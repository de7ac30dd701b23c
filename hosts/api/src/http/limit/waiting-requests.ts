import type { NextFunction, Request, Response } from 'express'
import type { Monotonic, Timer } from '@quipu/core'

/** A request that is not answered yet, between the one that came before it and the one after it. */
export type WaitingRequest = {
  readonly req: Request
  readonly res: Response
  readonly next: NextFunction
  /** By the monotonic clock, with the time that it was paused. */
  dueAt: number
  pausedAt: number | undefined
  wasPaused: boolean
  older: WaitingRequest | undefined
  newer: WaitingRequest | undefined
}

export type WaitingRequests = {
  add(req: Request, res: Response, next: NextFunction): WaitingRequest
  remove(waiting: WaitingRequest): void
  /** Milliseconds until it is due. They stand still while it is paused. */
  leftMs(waiting: WaitingRequest): number
}

export type WaitingPorts = { readonly timer: Timer; readonly monotonic: Monotonic }

/**
 * Calls `expire` with each request that is still there `ms` after it came.
 *
 * All have the same time, so they wait in the order in which they came, and one timer waits for the
 * oldest. A timer and a promise for each request would cost more than all the rest of a deadline.
 */
export function waitingRequests(
  { timer, monotonic }: WaitingPorts,
  ms: number,
  expire: (waiting: WaitingRequest) => void,
): WaitingRequests {
  let oldest: WaitingRequest | undefined
  let newest: WaitingRequest | undefined
  let wait: ReturnType<Timer> | undefined

  const leftMs = ({ dueAt, pausedAt }: WaitingRequest): number => dueAt - (pausedAt ?? monotonic())

  function arm(forMs: number): void {
    const armed = (wait = timer(forMs))
    // An answer that is just being made goes out first.
    void armed.done.then(() => setImmediate(() => wait === armed && sweep()))
  }

  function sweep(): void {
    let nextMs = Infinity
    for (let waiting = oldest; waiting !== undefined; waiting = waiting.newer) {
      const left = leftMs(waiting)
      if (left <= 0) expire(waiting)
      else nextMs = Math.min(nextMs, left)
      // Only a pause makes a request due after one that came later.
      if (left > 0 && !waiting.wasPaused) break
    }
    if (nextMs < Infinity) arm(nextMs)
    else wait = undefined
  }

  return {
    leftMs,
    add(req, res, next) {
      const waiting: WaitingRequest = {
        req,
        res,
        next,
        dueAt: monotonic() + ms,
        pausedAt: undefined,
        wasPaused: false,
        older: newest,
        newer: undefined,
      }
      if (newest) newest.newer = waiting
      else oldest = waiting
      newest = waiting
      if (!wait) arm(ms)
      return waiting
    },
    remove({ older, newer }) {
      if (older) older.newer = newer
      else oldest = newer
      if (newer) newer.older = older
      else newest = older
      if (oldest) return
      wait?.cancel()
      wait = undefined
    },
  }
}
