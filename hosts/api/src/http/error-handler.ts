import type { ErrorRequestHandler, Request, Response } from 'express'
import { type Dependency, Unavailable } from '@quipu/core'
import { Unauthorized } from '@quipu/core/operator'
import { errorToJson, type HttpErrorCode, operatorTokenRefused, qrNotRead } from '@quipu/wire'
import { send } from './answer.ts'
import { ApiError } from './api-error.ts'
import { RequestAborted } from './body.ts'
import { contextOf } from './context.ts'

/** Reports an unexpected error. @param requestId  redacted, for the log */
export type ReportError = (error: unknown, requestId: string) => void

/** Answers a failed request with a code of the API, never with a stack. @source spec §7 */
export const errorHandler =
  (report: ReportError): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    if (error instanceof RequestAborted) {
      res.destroy()
      return
    }
    // The deadline has answered `503` already. A retry finds the outcome of the use case.
    if (error instanceof Unavailable && res.writableEnded) return
    const answer = toApiError(error, req)
    if (error instanceof Unavailable) contextOf(res).cause = error.message
    else if (answer !== error && answer.status >= 500) report(error, contextOf(res).loggedId)
    if (res.headersSent) res.destroy()
    else answerError(res, answer)
  }

function answerError(res: Response, error: ApiError): void {
  const { status, code, message, issues, payoutId, headers } = error
  const context = contextOf(res)
  context.code = code
  const docsUrl = res.app.locals['docsUrl'] as string | undefined
  const json = errorToJson({
    code,
    message,
    requestId: context.requestId,
    ...(issues && { issues }),
    ...(payoutId !== null && { payoutId }),
    ...(docsUrl !== undefined && { docsUrl }),
  })
  send(res, { status, json, headers })
}

function toApiError(error: unknown, req: Request): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof Unavailable) return unavailable(error, req)
  // The presented token stopped working after the request was authenticated.
  if (error instanceof Unauthorized) return new ApiError('AUTHENTICATION_FAILED', { message: operatorTokenRefused })
  // The path cannot be percent-decoded.
  return new ApiError(error instanceof URIError ? 'NOT_FOUND' : 'INTERNAL_ERROR')
}

/**
 * On `POST /payouts` the payment's outcome is unknown, unless the network failed: it throws only when
 * it reads the QR, before anything is written.
 *
 * @source spec §7 OPERATION_UNCERTAIN
 */
function unavailable({ dependency }: Unavailable, { method, path }: Request): ApiError {
  if (method !== 'POST' || path !== '/v1/payouts') return new ApiError(reasons[dependency])
  return new ApiError(
    'OPERATION_UNCERTAIN',
    dependency === 'qr_network' || dependency === 'screening' ? { message: qrNotRead } : {},
  )
}

const reasons: Readonly<Record<Dependency, HttpErrorCode>> = {
  qr_network: 'NETWORK_UNAVAILABLE',
  screening: 'NETWORK_UNAVAILABLE', // a tenant learns nothing of screening
  rate_source: 'RATE_UNAVAILABLE',
  store: 'SERVICE_UNAVAILABLE',
  chain: 'SERVICE_UNAVAILABLE',
  signer: 'SERVICE_UNAVAILABLE',
  queue: 'SERVICE_UNAVAILABLE',
}
