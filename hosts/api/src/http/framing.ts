import type { RequestHandler } from 'express'
import { framingIssue } from '@quipu/runtime'
import { describeIssues } from '@quipu/wire'
import { ApiError } from './api-error.ts'

/** Refuses requests that a proxy and this server could read differently, and closes the connection. */
export const framing: RequestHandler = (req, _res, next) => {
  const issue = framingIssue(req)
  if (issue === undefined) return next()
  throw new ApiError('VALIDATION_FAILED', {
    message: describeIssues([issue]),
    issues: [issue],
    headers: { Connection: 'close' },
  })
}
