import type { NextFunction, Request, Response } from 'express'
import type { Monotonic, Timer } from '@quipu/core'

/** A request that is not answered yet, linked to the ones that arrived before and after it. */
export type WaitingRequest = {
  readonly req: Request
  readonly res: Response
  readonly next: NextFunction
  /** By the monotonic clock; each pause moves it by its length. */
  dueAt: number
  pausedAt: number | undefined
  older: WaitingRequest | undefined
  newer: WaitingRequest | undefined
}

export type WaitingRequests = {
  add(req: Request, res: Response, next: NextFunction): WaitingRequest
  remove(waiting: WaitingRequest): void
  /** Milliseconds until it is due, constant during a pause. */
  leftMs(waiting: WaitingRequest): number
  pause(waiting: WaitingRequest): void
  resume(waiting: WaitingRequest): void
}

export type WaitingPorts = { readonly timer: Timer; readonly monotonic: Monotonic }

/**
 * Calls `expire` with each request that is still waiting `ms` after its arrival, pauses not counted.
 *
 * One timer serves all requests: a timer and a promise per request would cost more than the rest of
 * a deadline.
 */
export function waitingRequests(
  { timer, monotonic }: WaitingPorts,
  ms: number,
  expire: (waiting: WaitingRequest) => void,
): WaitingRequests {
  const requests = requestList()
  let wait: ReturnType<Timer> | undefined

  const leftMs = ({ dueAt, pausedAt }: WaitingRequest): number => dueAt - (pausedAt ?? monotonic())

  function arm(forMs: number): void {
    const armed = (wait = timer(forMs))
    // A macrotask later, so that an answer that is being written goes out first.
    void armed.done.then(() => setImmediate(() => wait === armed && expireDue()))
  }

  /** Looks at every request: after pauses they are not in the order of their deadlines. */
  function expireDue(): void {
    let nextMs = Infinity
    for (let waiting = requests.oldest(); waiting !== undefined; waiting = waiting.newer) {
      const left = leftMs(waiting)
      if (left <= 0) expire(waiting)
      else nextMs = Math.min(nextMs, left)
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
        older: undefined,
        newer: undefined,
      }
      requests.add(waiting)
      if (!wait) arm(ms)
      return waiting
    },
    remove(waiting) {
      requests.remove(waiting)
      if (requests.oldest()) return
      wait?.cancel()
      wait = undefined
    },
    pause(waiting) {
      waiting.pausedAt = monotonic()
    },
    resume(waiting) {
      if (waiting.pausedAt === undefined) return
      waiting.dueAt += monotonic() - waiting.pausedAt
      waiting.pausedAt = undefined
    },
  }
}

/** A linked list, and not a `Set`, for the reason given in `listener.ts`. */
function requestList() {
  let oldest: WaitingRequest | undefined
  let newest: WaitingRequest | undefined
  return {
    oldest: () => oldest,
    add(waiting: WaitingRequest): void {
      waiting.older = newest
      if (newest) newest.newer = waiting
      else oldest = waiting
      newest = waiting
    },
    remove({ older, newer }: WaitingRequest): void {
      if (older) older.newer = newer
      else oldest = newer
      if (newer) newer.older = older
      else newest = older
    },
  }
}
