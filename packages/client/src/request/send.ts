import { attempt, pause } from './attempt.ts'
import { interpret } from './interpret.ts'
import { type Operations, operations } from '../openapi/openapi.ts'
import { backoffMs, type RetryRule, retryRules } from './retry.ts'

/** Overrides the client's settings for one call. */
export type CallOptions = {
  /** Aborts the call, also while it waits, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of the call, retries included. */
  readonly timeoutMs?: number | undefined
  /** The most retries. */
  readonly retries?: number | undefined
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
}

/** Options that only the client itself sets. */
type InternalOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly accepts?: number
  /** Whether an earlier call may have taken effect. */
  readonly uncertain?: boolean
}

export type OperationName = keyof Operations

/** Calls an operation, with retries until an answer, a failure that is not retryable, or the deadline. */
export type Send = <Name extends OperationName>(
  name: Name,
  input: Omit<Operations[Name], 'answer'>,
  options?: CallOptions & InternalOptions,
) => Promise<Operations[Name]['answer']>

type Query = Readonly<Record<string, string | number | Date | undefined>>

type Input = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Query
  readonly body?: unknown
}

export const sender = (settings: Settings): Send => {
  const send = async (
    name: OperationName,
    { params = {}, query = {}, body }: Input,
    options: CallOptions & InternalOptions = {},
  ): Promise<unknown> => {
    const { method, path } = operations[name]
    const url = settings.baseUrl + filled(path, params) + searchOf(query)
    const requestId = crypto.randomUUID() // The same for every attempt, and known without an answer.
    const headers = {
      Accept: 'application/json',
      'X-API-Key': settings.apiKey,
      'X-Request-Id': requestId,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    }
    // Following a redirect would send the key to another host.
    const init: RequestInit = { method, headers, redirect: 'manual' }
    if (body !== undefined) init.body = JSON.stringify(body)
    const request = { method, requestId, retry: retryRuleOf(name), accepts: options.accepts }

    const { timeoutMs = settings.timeoutMs, retries = settings.retries, signal } = options
    const until = performance.now() + timeoutMs
    let uncertain = options.uncertain ?? false
    for (let retry = 0; ; retry++) {
      const ms = Math.max(0, Math.min(settings.attemptTimeoutMs, until - performance.now()))
      const outcome = interpret(await attempt(settings.fetch, url, init, ms, signal), request)
      if (outcome.type === 'answer') return outcome.value
      uncertain ||= outcome.uncertain
      const delay = backoffMs(retry, settings.retryDelayMs) + (outcome.retryAfter ?? 0) * 1_000
      const inTime = performance.now() + delay < until
      if (!outcome.retryable || retry >= retries || !inTime) throw outcome.error(uncertain)
      await pause(delay, signal)
    }
  }
  return send as Send
}

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
    value === undefined
      ? []
      : [[name, value instanceof Date ? value.toISOString() : String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
