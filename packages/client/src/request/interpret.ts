import type { Attempt } from './attempt.ts'
import { QuipuConnectionError, QuipuError, type QuipuErrorDetail, QuipuTimeoutError } from './errors.ts'
import type { ErrorBody } from '../openapi/openapi.ts'
import { retryAfterSeconds, type RetryRule } from './retry.ts'

/** The facts of a request that the meaning of its answer depends on. */
export type SentRequest = {
  readonly method: string
  /** A success is a 204 without a body. */
  readonly isEmpty: boolean
  readonly requestId: string
  readonly retry: RetryRule
  /** An error status whose body is a valid answer. */
  readonly accepts?: number | undefined
  /** Members without which a success is not from the service. */
  readonly members: readonly string[]
  /** The answer is text, and complete when this matches. */
  readonly whole?: RegExp | undefined
  /** The URL of the service, whose page `/docs` explains every code. */
  readonly baseUrl: string
}

export type Outcome =
  | { readonly type: 'answer'; readonly value: unknown }
  | {
      readonly type: 'failure'
      /** Whether the request may be sent again. */
      readonly retryable: boolean
      /** Whether the request may have taken effect. */
      readonly uncertain: boolean
      readonly retryAfter?: number | undefined
      /** @param uncertain  whether this attempt, or one before it, may have taken effect */
      error(uncertain: boolean): Error
    }

/** Interprets an attempt: an answer, or a failure with its consequences. */
export function interpret(attempt: Attempt, request: SentRequest): Outcome {
  if (attempt.type !== 'answered') return noAnswer(attempt, request)
  const { response, text } = attempt
  if (request.isEmpty && response.status === 204) return { type: 'answer', value: undefined }
  if (response.ok && request.whole) {
    if (request.whole.test(text)) return { type: 'answer', value: text }
    return noAnswer({ type: 'lost', cause: new SyntaxError('The text is not complete') }, request)
  }
  const body = jsonObject(text)
  if (response.ok || (response.status === request.accepts && body && !isError(body))) {
    if (body && !request.isEmpty && request.members.every((name) => name in body))
      return { type: 'answer', value: body }
    const cause = new SyntaxError(`A ${response.status} without its JSON: ${excerpt(text)}`)
    return noAnswer({ type: 'lost', cause }, request)
  }
  return refusalOutcome(response, text, body, request)
}

function noAnswer(attempt: Exclude<Attempt, { type: 'answered' }>, request: SentRequest): Outcome {
  const { requestId } = request
  if (attempt.type === 'unsent') {
    const { cause } = attempt
    const error = (uncertain: boolean): Error =>
      new QuipuConnectionError('No connection to the API', { requestId, uncertain, cause })
    return { type: 'failure', retryable: true, uncertain: false, error }
  }
  const error = (uncertain: boolean): Error =>
    attempt.type === 'late'
      ? new QuipuTimeoutError('No answer within the time limit', { requestId, uncertain })
      : new QuipuConnectionError('The connection ended before the answer', {
          requestId,
          uncertain,
          cause: attempt.cause,
        })
  return { type: 'failure', retryable: request.retry === 'always', uncertain: isWrite(request), error }
}

/** Codes with a status of 500 or more that guarantee that nothing was done. */
const codesWithoutEffect: ReadonlySet<string> = new Set(['RATE_UNAVAILABLE', 'NETWORK_UNAVAILABLE', 'FAUCET_EMPTY'])

function refusalOutcome(response: Response, text: string, body: object | undefined, request: SentRequest): Outcome {
  const { status } = response
  const known = refusalOf(body, request)
  const refusal = known ?? { code: 'UNEXPECTED_ANSWER', message: `The answer is not from the API: ${excerpt(text)}` }
  const retryAfter = retryAfterSeconds(response.headers.get('retry-after'))
  // Neither a success nor a refusal: a proxy may have given up on a request that took effect.
  const isLimited = status === 429 && known !== undefined
  const failing = status < 400 || status >= 500 || status === 408 || (status === 429 && !isLimited)
  // A limit of the faucet lasts for a minute or longer: a retry would be refused again.
  const isTemporary = !refusal.code.startsWith('FAUCET_')
  const retryable = isTemporary && (isLimited || (failing && request.retry === 'always'))
  const { requestId } = request
  return {
    type: 'failure',
    retryable,
    uncertain: failing && isWrite(request) && !codesWithoutEffect.has(refusal.code),
    retryAfter,
    error: (uncertain) => new QuipuError({ requestId, ...refusal, status, retryable, retryAfter, uncertain }),
  }
}

const isWrite = ({ method }: SentRequest): boolean => method !== 'GET'

type Refusal = {
  readonly code: string
  readonly message: string
  readonly requestId?: string
  readonly details?: readonly QuipuErrorDetail[] | undefined
  readonly payoutId?: string | undefined
  readonly docUrl?: string
}

const isError = (body: object): body is ErrorBody =>
  'error' in body && typeof body.error === 'object' && body.error !== null

/** The members of an error. A service whose explanations are elsewhere names their place itself. */
type ErrorMembers = Partial<ErrorBody['error']> & { readonly doc_url?: unknown }

function refusalOf(body: object | undefined, { baseUrl }: SentRequest): Refusal | undefined {
  if (!body || !isError(body)) return undefined
  const { code, message, request_id, details, payout_id, doc_url } = body.error as ErrorMembers
  if (typeof code !== 'string') return undefined
  return {
    code,
    message: typeof message === 'string' ? message : code,
    ...(typeof request_id === 'string' && { requestId: request_id }),
    details: Array.isArray(details) ? (details as QuipuErrorDetail[]) : undefined,
    payoutId: payout_id,
    docUrl: typeof doc_url === 'string' ? doc_url : `${baseUrl}/docs#error-${code}`,
  }
}

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const excerpt = (text: string): string => JSON.stringify(text.slice(0, 200))
