import type { RequestHandler, Response } from 'express'
import { type Deadline, deadlineIn, type Monotonic, type Timer, Unavailable } from '@quipu/core'
import { errorHandler, type ReportError } from './error-handler.ts'

/** The deadline of a request's use case. The time in which the caller sends its body is not counted. */
export type RequestDeadline = Deadline & { pauseFor<T>(work: Promise<T>): Promise<T> }

/** Undefined on a listener whose requests have none. */
export const deadlineOf = (res: Response): RequestDeadline | undefined =>
  res.locals['deadline'] as RequestDeadline | undefined

/** The use case ends this much earlier, in milliseconds, so that its own answer goes out in time. */
export const answerMarginMs = (answerWithinMs: number): number => answerWithinMs / 40

/** Whether there is nobody left to answer: the deadline has, or the caller is gone. */
export const isAnswered = (res: Response): boolean => res.writableEnded || res.destroyed

/**
 * Answers a request with a `503` when nobody else has by its deadline.
 *
 * Every step of a request is bounded by itself, and several of them in a row are not: while a database
 * stalls, a key, a payout and a commit may each take their full time.
 */
export const answerInTime =
  (
    { timer, monotonic }: { readonly timer: Timer; readonly monotonic: Monotonic },
    answerWithinMs: number,
    report: ReportError,
  ): RequestHandler =>
  (req, res, next) => {
    const fail = errorHandler(report)
    const { leftMs } = deadlineIn(answerWithinMs, monotonic)
    const marginMs = answerMarginMs(answerWithinMs)
    let pausedMs = 0
    let pausedAt: number | undefined
    const left = (): number =>
      leftMs() + pausedMs + (pausedAt === undefined ? 0 : monotonic() - pausedAt)
    const deadline: RequestDeadline = {
      leftMs: () => left() - marginMs,
      pauseFor: async (work) => {
        const since = (pausedAt = monotonic())
        try {
          return await work
        } finally {
          pausedAt = undefined
          pausedMs += monotonic() - since
        }
      },
    }
    res.locals['deadline'] = deadline

    let wait = timer(answerWithinMs)
    const watch = async (): Promise<void> => {
      await wait.done
      await new Promise(setImmediate) // An answer that is just being made goes out first.
      if (isAnswered(res)) return
      if (left() <= 0) {
        fail(new Unavailable('store', 'no answer by the deadline of the request'), req, res, next)
        return
      }
      wait = timer(left())
      await watch()
    }
    void watch()
    res.on('close', () => wait.cancel())
    next()
  }
