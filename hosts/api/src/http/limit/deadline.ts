import type { RequestHandler, Response } from 'express'
import { type Deadline, Unavailable } from '@quipu/core'
import { errorHandler, type ReportError } from '../error-handler.ts'
import { type WaitingPorts, waitingRequests } from './waiting-requests.ts'

/** The deadline of a request's use case. It stands still while the caller sends its body. */
export type RequestDeadline = Deadline & { pause(): void; resume(): void }

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
export function answerInTime(
  ports: WaitingPorts,
  answerWithinMs: number,
  report: ReportError,
): RequestHandler {
  const { monotonic } = ports
  const fail = errorHandler(report)
  const marginMs = answerMarginMs(answerWithinMs)
  const late = (): Unavailable =>
    new Unavailable('store', 'no answer by the deadline of the request')
  const requests = waitingRequests(ports, answerWithinMs, ({ req, res, next }) => {
    if (!isAnswered(res)) fail(late(), req, res, next)
  })
  return (req, res, next) => {
    const waiting = requests.add(req, res, next)
    const deadline: RequestDeadline = {
      leftMs: () => requests.leftMs(waiting) - marginMs,
      pause: () => {
        waiting.wasPaused = true
        waiting.pausedAt = monotonic()
      },
      resume: () => {
        waiting.dueAt += monotonic() - (waiting.pausedAt ?? 0)
        waiting.pausedAt = undefined
      },
    }
    res.locals['deadline'] = deadline
    res.on('close', () => requests.remove(waiting))
    next()
  }
}
