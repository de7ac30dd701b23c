import { describeIssues, type HttpErrorCode, httpErrors, type Issue, retryAfterSeconds } from '@quipu/wire'

type More = {
  /** Instead of the code's own message. */
  readonly message?: string
  readonly issues?: readonly Issue[]
  /** The tenant's payout that caused the refusal. */
  readonly payoutId?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Ends a request with a code of the API and its status. Thrown only in hosts. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: HttpErrorCode
  readonly issues: readonly Issue[] | undefined
  readonly payoutId: string | null
  readonly headers: Readonly<Record<string, string>>
  constructor(code: HttpErrorCode, { message, issues, payoutId = null, headers = {} }: More = {}) {
    super(message ?? httpErrors[code].message)
    this.status = httpErrors[code].status
    this.code = code
    this.issues = issues
    this.payoutId = payoutId
    this.headers = { ...retryAfter(code), ...headers }
  }
}

/** Every 503 has a `Retry-After`. */
const retryAfter = (code: HttpErrorCode): Readonly<Record<string, string>> =>
  code in retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds[code as keyof typeof retryAfterSeconds]) } : {}

/** `400`: the message names every offending field, `details` repeats them one by one. @source spec §7 */
export const invalid = (issues: readonly Issue[]): ApiError =>
  new ApiError('VALIDATION_FAILED', { message: describeIssues(issues), issues })
