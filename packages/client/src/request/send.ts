import { attempt, pause } from './attempt.ts'
import { judge } from './judge.ts'
import { type Operations, operations } from '../openapi/openapi.ts'
import { backoffMs, type Repeat, repeats } from './repeat.ts'

/** How one call differs from the client's settings. */
export type CallOptions = {
  /** Ends the call, and what it waits for, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long the call may take in all, its repeats included. */
  readonly timeoutMs?: number | undefined
  /** How often the request may be repeated. */
  readonly retries?: number | undefined
}

/** What a client is made with, complete. */
export type Settings = {
  readonly apiKey: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly retries: number
  readonly retryDelayMs: number
}

/** What only the client itself says of a call. */
type Further = {
  readonly headers?: Readonly<Record<string, string>>
  readonly accepts?: number
  /** Whether something may have taken effect before this call. */
  readonly uncertain?: boolean
}

export type OperationName = keyof Operations

/** Calls an operation: sends it until it is answered, may not be repeated, or time is over. */
export type Send = <Name extends OperationName>(
  name: Name,
  input: Omit<Operations[Name], 'answer'>,
  options?: CallOptions & Further,
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
    options: CallOptions & Further = {},
  ): Promise<unknown> => {
    const { method, path } = operations[name]
    const url = settings.baseUrl + filled(path, params) + searchOf(query)
    const requestId = crypto.randomUUID() // The same for every repeat, and known without an answer.
    const headers = {
      Accept: 'application/json',
      'X-API-Key': settings.apiKey,
      'X-Request-Id': requestId,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    }
    // A redirect is not followed: the key belongs to this address only.
    const init: RequestInit = { method, headers, redirect: 'manual' }
    if (body !== undefined) init.body = JSON.stringify(body)
    const asked = { method, requestId, repeat: repeatOf(name), accepts: options.accepts }

    const { timeoutMs = settings.timeoutMs, retries = settings.retries, signal } = options
    const until = performance.now() + timeoutMs
    let uncertain = options.uncertain ?? false
    for (let repeat = 0; ; repeat++) {
      const ms = Math.max(0, Math.min(settings.attemptTimeoutMs, until - performance.now()))
      const verdict = judge(await attempt(settings.fetch, url, init, ms, signal), asked)
      if (verdict.type === 'answer') return verdict.value
      uncertain ||= verdict.uncertain
      const delay = backoffMs(repeat, settings.retryDelayMs) + (verdict.retryAfter ?? 0) * 1_000
      const inTime = performance.now() + delay < until
      if (!verdict.again || repeat >= retries || !inTime) throw verdict.error(uncertain)
      await pause(delay, signal)
    }
  }
  return send as Send
}

const repeatOf = (name: OperationName): Repeat =>
  (repeats as Readonly<Partial<Record<OperationName, Repeat>>>)[name] ?? 'always'

/** @throws TypeError when an id is none, so that no other address is asked */
const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${JSON.stringify(value)} is no ${name}`)
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
