import { timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { sha256 } from '@quipu/core/adapter'
import { ApiError } from '../../http/api-error.ts'

/** Derived from the session's secret, which scripts cannot read; the session's own answer contains it. */
export const csrfTokenOf = (secret: string): string => sha256(`csrf:${secret}`)

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether the request changes nothing. */
export const isReading = ({ method }: Request): boolean => readingMethods.has(method)

/**
 * Refuses a request that another site made a browser send.
 *
 * @throws ApiError 403
 */
export function requireSameOrigin(req: Request): void {
  const { 'sec-fetch-site': site, origin, host } = req.headers
  // Browsers write it and scripts cannot. `none`: a person entered the address.
  if (typeof site === 'string') {
    if (site === 'same-origin' || (isReading(req) && site === 'none')) return
    throw new ApiError('CROSS_SITE_REQUEST')
  }
  if (origin === undefined ? !isReading(req) : hostOf(origin) !== host) throw new ApiError('CROSS_SITE_REQUEST')
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * Refuses what a session did not send from its own page: a request of another origin, or a change without the
 * session's token.
 *
 * @throws ApiError 403
 */
export function requireOwnPage(req: Request, secret: string): void {
  requireSameOrigin(req)
  if (isReading(req)) return
  const { 'x-csrf-token': sent } = req.headers
  const expected = csrfTokenOf(secret)
  const isSent =
    typeof sent === 'string' &&
    sent.length === expected.length &&
    timingSafeEqual(Buffer.from(sent), Buffer.from(expected))
  if (!isSent) throw new ApiError('CROSS_SITE_REQUEST')
}
