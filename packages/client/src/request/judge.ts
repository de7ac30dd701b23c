import type { Attempt } from './attempt.ts'
import {
  QuipuConnectionError,
  QuipuError,
  type QuipuErrorDetail,
  QuipuTimeoutError,
} from './errors.ts'
import type { ErrorBody } from '../openapi/openapi.ts'
import { retryAfterSeconds, type Repeat } from './repeat.ts'

/** What is asked for, as far as its answer is judged by it. */
export type Asked = {
  readonly method: string
  readonly requestId: string
  readonly repeat: Repeat
  /** A status that is no success and still brings what was asked for. */
  readonly accepts?: number | undefined
}

export type Verdict =
  | { readonly type: 'answer'; readonly value: unknown }
  | {
      readonly type: 'failure'
      /** Whether it may be sent again. */
      readonly again: boolean
      /** Whether it may have taken effect. */
      readonly uncertain: boolean
      readonly retryAfter?: number | undefined
      /** @param uncertain  whether this attempt, or one before it, may have taken effect */
      error(uncertain: boolean): Error
    }

/** Says what an attempt means for what was asked. */
export function judge(tried: Attempt, asked: Asked): Verdict {
  if (tried.type !== 'answered') return unanswered(tried, asked)
  const { response, text } = tried
  if (response.ok && asked.method === 'DELETE') return { type: 'answer', value: undefined }
  const body = jsonObject(text)
  if (response.ok || (response.status === asked.accepts && body && !isError(body))) {
    if (body) return { type: 'answer', value: body }
    const cause = new SyntaxError(`A ${response.status} without JSON: ${excerpt(text)}`)
    return unanswered({ type: 'lost', cause }, asked)
  }
  return refused(response, text, body, asked)
}

function unanswered(tried: Exclude<Attempt, { type: 'answered' }>, asked: Asked): Verdict {
  const { requestId } = asked
  if (tried.type === 'unsent') {
    const { cause } = tried
    const error = (uncertain: boolean): Error =>
      new QuipuConnectionError('The API was not reached', { requestId, uncertain, cause })
    return { type: 'failure', again: true, uncertain: false, error }
  }
  const error = (uncertain: boolean): Error =>
    tried.type === 'late'
      ? new QuipuTimeoutError('No answer came in time', { requestId, uncertain })
      : new QuipuConnectionError('The answer was lost', {
          requestId,
          uncertain,
          cause: tried.cause,
        })
  return { type: 'failure', again: asked.repeat === 'always', uncertain: changes(asked), error }
}

/** Codes that say, with a status of 500 or more, that nothing was done. */
const nothingDone: ReadonlySet<string> = new Set([
  'RATE_UNAVAILABLE',
  'NETWORK_UNAVAILABLE',
  'FAUCET_EMPTY',
])

function refused(
  response: Response,
  text: string,
  body: object | undefined,
  asked: Asked,
): Verdict {
  const { status } = response
  const refusal = refusalOf(body) ?? {
    code: 'UNEXPECTED_ANSWER',
    message: `The answer was not the API’s: ${excerpt(text)}`,
  }
  const retryAfter = retryAfterSeconds(response.headers.get('retry-after'))
  const failing = status >= 500 || status === 408
  // What the faucet refuses it will refuse again for a minute or a day.
  const passing = !refusal.code.startsWith('FAUCET_')
  return {
    type: 'failure',
    again: passing && (status === 429 || (failing && asked.repeat === 'always')),
    uncertain: failing && changes(asked) && !nothingDone.has(refusal.code),
    retryAfter,
    error: (uncertain) =>
      new QuipuError({ requestId: asked.requestId, ...refusal, status, retryAfter, uncertain }),
  }
}

const changes = ({ method }: Asked): boolean => method !== 'GET'

type Refusal = {
  readonly code: string
  readonly message: string
  readonly requestId?: string
  readonly details?: readonly QuipuErrorDetail[] | undefined
  readonly payoutId?: string | undefined
}

const isError = (body: object): body is ErrorBody =>
  'error' in body && typeof body.error === 'object' && body.error !== null

function refusalOf(body: object | undefined): Refusal | undefined {
  if (!body || !isError(body)) return undefined
  const { code, message, request_id, details, payout_id } = body.error as Partial<
    ErrorBody['error']
  >
  if (typeof code !== 'string') return undefined
  return {
    code,
    message: typeof message === 'string' ? message : code,
    ...(typeof request_id === 'string' && { requestId: request_id }),
    details: Array.isArray(details) ? (details as QuipuErrorDetail[]) : undefined,
    payoutId: payout_id,
  }
}

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const excerpt = (text: string): string => JSON.stringify(text.slice(0, 200))
