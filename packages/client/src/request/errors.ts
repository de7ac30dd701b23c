import type { ErrorBody } from '../openapi/openapi.ts'

/** A code of the API. Codes may be added: treat an unknown one by the status. */
export type QuipuErrorCode = ErrorBody['error']['code']
/** A field of the request that was refused, and the values that it takes. */
export type QuipuErrorDetail = { readonly field: string; readonly message: string }

/** Members of every failed call. */
type Failed = {
  /** Identifies the call in the service's logs: quote it when you report a problem. */
  readonly requestId: string
  /**
   * Whether the request may have taken effect: an attempt may have reached the service, and no
   * answer stated its result. For a payout, call again with the same body.
   */
  readonly uncertain: boolean
}

type Refusal = Failed & {
  readonly status: number
  readonly code: QuipuErrorCode
  readonly message: string
  readonly details?: readonly QuipuErrorDetail[] | undefined
  readonly payoutId?: string | undefined
  readonly retryable: boolean
  readonly retryAfter?: number | undefined
  readonly docUrl?: string | undefined
}

/** The API answered with an error. */
export class QuipuError extends Error {
  override readonly name: string = 'QuipuError'
  readonly status: number
  /** `UNEXPECTED_ANSWER` when a proxy answered in place of the API. */
  readonly code: QuipuErrorCode
  readonly requestId: string
  readonly uncertain: boolean
  /** One for each invalid field; empty unless the status is 400. */
  readonly details: readonly QuipuErrorDetail[]
  /** The payout of yours that has the `transaction_id` or used the quote. */
  readonly payoutId: string | undefined
  /** Whether the same request may be answered otherwise later; the client has then retried it already. */
  readonly retryable: boolean
  /** Seconds of `Retry-After`, if the answer had it. */
  readonly retryAfter: number | undefined
  /** Where the service explains the code: when it occurs, and what to do. Undefined for `UNEXPECTED_ANSWER`. */
  readonly docUrl: string | undefined

  constructor(refusal: Refusal) {
    super(`${refusal.message} (${refusal.status} ${refusal.code}, ${refusal.requestId})`)
    this.status = refusal.status
    this.code = refusal.code
    this.requestId = refusal.requestId
    this.uncertain = refusal.uncertain
    this.details = refusal.details ?? []
    this.payoutId = refusal.payoutId
    this.retryable = refusal.retryable
    this.retryAfter = refusal.retryAfter
    this.docUrl = refusal.docUrl
  }
}

/** No answer arrived, or none that can be parsed. `cause` says why. */
export class QuipuConnectionError extends Error {
  override readonly name: string = 'QuipuConnectionError'
  readonly requestId: string
  readonly uncertain: boolean

  constructor(message: string, { requestId, uncertain, cause }: Failed & { cause?: unknown }) {
    super(`${message} (${requestId})`, { cause })
    this.requestId = requestId
    this.uncertain = uncertain
  }
}

/** No answer arrived in time, or the payout was still `processing` at the deadline. */
export class QuipuTimeoutError extends QuipuConnectionError {
  override readonly name: string = 'QuipuTimeoutError'
}
