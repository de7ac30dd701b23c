import { attempt, pause } from './attempt.ts'
import { answerFacts, type AnswerInfo, type AttemptInfo, attemptHeaders, callHook, type QuipuHooks } from './hooks.ts'
import { interpret, type Outcome, type SentRequest } from './interpret.ts'
import { type Operations, operations } from '../openapi/openapi.ts'
import { backoffMs, payoutMembers, type RetryRule, retryRules } from './retry.ts'
import { version } from '../version.ts'

/** Overrides the client's settings for one call. */
export type CallOptions = {
  /** Aborts the call, also while it waits, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of the call, retries included. */
  readonly timeoutMs?: number | undefined
  /** The most retries. */
  readonly retries?: number | undefined
  /**
   * Receives what the answer's headers say: its request id, whether it is a repetition, your rate limit. It is called
   * for the answer that the call returns, and for each page of a list. Failed calls have an error instead.
   */
  readonly onAnswer?: ((answer: AnswerInfo) => void) | undefined
}

/** The options of a client, with defaults applied. */
export type Settings = {
  readonly apiKey: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly retries: number
  readonly retryDelayMs: number
  readonly hooks: QuipuHooks
}

/** Options that only the client itself sets. */
type InternalOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly accepts?: number
  /** Whether an earlier call may have taken effect. */
  readonly uncertain?: boolean
  /** The answer is text of this media type, and complete when it matches. Attempts last as long as the call. */
  readonly text?: { readonly mediaType: string; readonly whole: RegExp }
}

export type OperationName = keyof Operations

/** Calls an operation, with retries until an answer, a failure that is not retryable, or the deadline. */
export type Send = <Name extends OperationName>(
  name: Name,
  input: Omit<Operations[Name], 'answer'>,
  options?: CallOptions & InternalOptions,
) => Promise<Operations[Name]['answer']>

type Query = Readonly<Record<string, string | number | Date | Readonly<Record<string, string>> | undefined>>

type Operation = { readonly method: string; readonly path: string; readonly isEmpty?: boolean }

type Input = { readonly params?: Readonly<Record<string, string>>; readonly query?: Query; readonly body?: unknown }

export const sender = (settings: Settings): Send => {
  const send = async (
    name: OperationName,
    { params = {}, query = {}, body }: Input,
    options: CallOptions & InternalOptions = {},
  ): Promise<unknown> => {
    const operation: Operation = operations[name]
    const { method, path, isEmpty = false } = operation
    const url = settings.baseUrl + filled(path, params) + searchOf(query)
    const requestId = crypto.randomUUID() // The same for every attempt, and known without an answer.
    const headers = {
      Accept: options.text?.mediaType ?? 'application/json',
      'User-Agent': userAgent,
      'X-API-Key': settings.apiKey,
      'X-Request-Id': requestId,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    }
    const { accepts, signal, timeoutMs = settings.timeoutMs, retries = settings.retries } = options
    const { baseUrl } = settings
    const members = name === 'createPayout' ? payoutMembers : []
    const whole = options.text?.whole
    const request = { method, isEmpty, requestId, retry: retryRuleOf(name), accepts, members, baseUrl, whole }
    const text = body === undefined ? undefined : JSON.stringify(body)

    const until = performance.now() + timeoutMs
    let uncertain = options.uncertain ?? false
    for (let made = 1; ; made++) {
      const info = { operation: name, method, path, requestId, attempt: made }
      const attemptMs = whole ? timeoutMs : settings.attemptTimeoutMs
      const ms = Math.max(0, Math.min(attemptMs, until - performance.now()))
      const { outcome, answer } = await observed(settings, { url, headers, text, request, info, ms, signal })
      if (outcome.type === 'answer') {
        callHook(options.onAnswer, answer)
        return outcome.value
      }
      uncertain ||= outcome.uncertain
      const delayMs = backoffMs(made - 1, settings.retryDelayMs) + (outcome.retryAfter ?? 0) * 1_000
      const inTime = performance.now() + delayMs < until
      const error = outcome.error(uncertain)
      if (!outcome.retryable || made > retries || !inTime) throw error
      callHook(settings.hooks.onRetry, { ...info, delayMs, error })
      await pause(delayMs, signal)
    }
  }
  return send as Send
}

type AttemptRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | undefined
  readonly request: SentRequest
  readonly info: AttemptInfo
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

/** Makes one attempt, between the calls of the hooks. */
async function observed(
  { fetch, hooks }: Settings,
  { url, headers, text, request, info, ms, signal }: AttemptRequest,
): Promise<{ readonly outcome: Outcome; readonly answer: AnswerInfo }> {
  const init: RequestInit = {
    method: info.method,
    headers: attemptHeaders(callHook(hooks.onRequest, info), headers),
    redirect: 'manual', // Following a redirect would send the key to another host.
    ...(text !== undefined && { body: text }),
  }
  const startedAt = performance.now()
  const ended = (response: Response | undefined, error: unknown): AnswerInfo => {
    const durationMs = performance.now() - startedAt
    const answer = { ...info, status: response?.status, durationMs, ...answerFacts(response?.headers), error }
    callHook(hooks.onResponse, answer)
    return answer
  }
  try {
    const made = await attempt(fetch, url, init, ms, signal)
    const outcome = interpret(made, request)
    const error = outcome.type === 'failure' ? outcome.error(outcome.uncertain) : undefined
    return { outcome, answer: ended(made.type === 'answered' ? made.response : undefined, error) }
  } catch (reason) {
    ended(undefined, reason)
    throw reason
  }
}

/** With the runtime's own name, where it has one. Browsers keep theirs. */
const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } }
const userAgent = `quipu-client/${version} ${navigator?.userAgent ?? ''}`.trim()

const retryRuleOf = (name: OperationName): RetryRule =>
  (retryRules as Readonly<Partial<Record<OperationName, RetryRule>>>)[name] ?? 'always'

/** @throws TypeError on an id that would change the path */
const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${JSON.stringify(value)} is not a valid ${name}`)
    }
    return encodeURIComponent(value)
  })

function searchOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null && !(value instanceof Date)
      ? Object.entries(value).map(([key, text]) => [`${name}[${key}]`, text])
      : value === undefined
        ? []
        : [[name, value instanceof Date ? value.toISOString() : String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
