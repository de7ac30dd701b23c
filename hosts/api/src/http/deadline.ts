import type { RequestHandler, Response } from 'express'
import { type Deadline, type Monotonic, type Timer, Unavailable } from '@quipu/core'
import { deadlineQueue } from '@quipu/core/adapter'
import { errorHandler, type ReportError } from './error-handler.ts'

/** The deadline of a request's use case. It is paused while the caller sends its body. */
export type RequestDeadline = Deadline & { pause(): void; resume(): void }

/** Undefined on the operator listener, whose requests have no deadline. */
export const deadlineOf = (res: Response): RequestDeadline | undefined =>
  res.locals['deadline'] as RequestDeadline | undefined

/** By how many milliseconds a use case must end before the deadline for its answer to go out in time. */
export const answerMarginMs = (requestDeadlineMs: number): number => requestDeadlineMs / 40

/** Whether the deadline has answered already, or the caller has disconnected. */
export const isAnswered = (res: Response): boolean => res.writableEnded || res.destroyed

/**
 * Answers `503` at the deadline when nothing else has answered.
 *
 * Each step of a request has a timeout, but their sum exceeds the deadline: while the database
 * stalls, the lookup of the key, the payout and the commit may each take their full timeout.
 */
export function answerInTime(
  ports: { readonly timer: Timer; readonly monotonic: Monotonic },
  requestDeadlineMs: number,
  report: ReportError,
): RequestHandler {
  const fail = errorHandler(report)
  const marginMs = answerMarginMs(requestDeadlineMs)
  const queue = deadlineQueue(ports, requestDeadlineMs)
  return (req, res, next) => {
    const expire = (): void => {
      if (isAnswered(res)) return
      fail(new Unavailable('store', 'no answer by the deadline of the request'), req, res, next)
    }
    // A macrotask later, so that an answer that is being written goes out first.
    const queued = queue.add(() => void setImmediate(expire))
    const deadline: RequestDeadline = {
      leftMs: () => queue.leftMs(queued) - marginMs,
      pause: () => queue.pause(queued),
      resume: () => queue.resume(queued),
    }
    res.locals['deadline'] = deadline
    res.on('close', () => queue.remove(queued))
    next()
  }
}
