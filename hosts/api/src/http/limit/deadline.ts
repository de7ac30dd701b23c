import type { RequestHandler, Response } from 'express'
import { type Deadline, Unavailable } from '@quipu/core'
import { errorHandler, type ReportError } from '../error-handler.ts'
import { type WaitingPorts, waitingRequests } from './waiting-requests.ts'

/** The deadline of a request's use case. It is paused while the caller sends its body. */
export type RequestDeadline = Deadline & { pause(): void; resume(): void }

/** Undefined on the operator listener, whose requests have no deadline. */
export const deadlineOf = (res: Response): RequestDeadline | undefined =>
  res.locals['deadline'] as RequestDeadline | undefined

/** By how many milliseconds a use case must end before the deadline for its answer to go out in time. */
export const answerMarginMs = (answerWithinMs: number): number => answerWithinMs / 40

/** Whether the deadline has answered already, or the caller has disconnected. */
export const isAnswered = (res: Response): boolean => res.writableEnded || res.destroyed

/**
 * Answers `503` at the deadline when nothing else has answered.
 *
 * Each step of a request has a timeout, but their sum exceeds the deadline: while the database
 * stalls, the lookup of the key, the payout and the commit may each take their full timeout.
 */
export function answerInTime(
  ports: WaitingPorts,
  answerWithinMs: number,
  report: ReportError,
): RequestHandler {
  const fail = errorHandler(report)
  const marginMs = answerMarginMs(answerWithinMs)
  const requests = waitingRequests(ports, answerWithinMs, ({ req, res, next }) => {
    if (isAnswered(res)) return
    fail(new Unavailable('store', 'no answer by the deadline of the request'), req, res, next)
  })
  return (req, res, next) => {
    const waiting = requests.add(req, res, next)
    const deadline: RequestDeadline = {
      leftMs: () => requests.leftMs(waiting) - marginMs,
      pause: () => requests.pause(waiting),
      resume: () => requests.resume(waiting),
    }
    res.locals['deadline'] = deadline
    res.on('close', () => requests.remove(waiting))
    next()
  }
}
