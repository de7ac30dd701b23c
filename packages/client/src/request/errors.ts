import type { ErrorBody } from '../openapi/openapi.ts'

/** A code of the API. New ones may come: treat an unknown one by the status. */
export type QuipuErrorCode = ErrorBody['error']['code']
export type QuipuErrorDetail = { readonly field: string; readonly message: string }

/** What is known of a call that failed, however it failed. */
type Failed = {
  /** Names the call, also in the service's logs: quote it when you report a problem. */
  readonly requestId: string
  /**
   * Whether the request may have taken effect all the same: some attempt may have arrived, and no
   * answer said what became of it. With a payout, call again with the same body.
   */
  readonly uncertain: boolean
}

type Refusal = Failed & {
  readonly status: number
  readonly code: QuipuErrorCode
  readonly message: string
  readonly details?: readonly QuipuErrorDetail[] | undefined
  readonly payoutId?: string | undefined
  readonly retryAfter?: number | undefined
}

/** The API answered with an error. */
export class QuipuError extends Error {
  override readonly name: string = 'QuipuError'
  readonly status: number
  /** `UNEXPECTED_ANSWER` when the answer was not the API's, but that of something in between. */
  readonly code: QuipuErrorCode
  readonly requestId: string
  readonly uncertain: boolean
  /** One for each field that is wrong; empty unless the status is 400. */
  readonly details: readonly QuipuErrorDetail[]
  /** The payout of yours that has the `transaction_id` or used the quote. */
  readonly payoutId: string | undefined
  /** How many seconds to wait, when the answer said so. */
  readonly retryAfter: number | undefined

  constructor(refusal: Refusal) {
    super(`${refusal.message} (${refusal.status} ${refusal.code}, ${refusal.requestId})`)
    this.status = refusal.status
    this.code = refusal.code
    this.requestId = refusal.requestId
    this.uncertain = refusal.uncertain
    this.details = refusal.details ?? []
    this.payoutId = refusal.payoutId
    this.retryAfter = refusal.retryAfter
  }
}

/** No answer came, or none that can be read. `cause` says why. */
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

/** No answer came in time, or the payout had not ended in time. */
export class QuipuTimeoutError extends QuipuConnectionError {
  override readonly name: string = 'QuipuTimeoutError'
}
