import type { Operations } from '../openapi/openapi.ts'

/** An attempt: one HTTP request of a call. It has no key, no body and no id of a path. */
export type AttemptInfo = {
  /** Such as `createPayout`. */
  readonly operation: keyof Operations
  readonly method: string
  /** With its placeholders: `/v1/payouts/{id}`. */
  readonly path: string
  /** The same for every attempt of a call; the service logs it. */
  readonly requestId: string
  /** From 1. */
  readonly attempt: number
}

/** The end of an attempt: an answer, or a failure without one. */
export type AnswerInfo = AttemptInfo & {
  /** The HTTP status; undefined when no answer arrived. */
  readonly status: number | undefined
  readonly durationMs: number
  /** Whether an earlier request with the same `transaction_id` or `Idempotency-Key` had created what is answered. */
  readonly replayed: boolean
  /** Undefined where the service limits nothing, and without an answer. */
  readonly rateLimit: RateLimit | undefined
  /** The failure of the attempt, or the reason of its caller's signal; undefined when it was answered as wanted. */
  readonly error: unknown
}

/** The limit of the tenant's requests that the answer was counted towards. */
export type RateLimit = {
  /** Such as `reads`. */
  readonly name: string
  /** Requests a second. */
  readonly perSecond: number
  /** Requests left until then. */
  readonly remaining: number
  /** Seconds until the limit grows again. */
  readonly resetSeconds: number
}

/** An attempt that failed and is made again. */
export type RetryInfo = AttemptInfo & {
  /** The pause before the next attempt. */
  readonly delayMs: number
  readonly error: Error
}

/**
 * Functions that are called for every attempt: for logs, metrics and traces.
 *
 * They change no outcome: an error of a hook is written to the console, and the call continues.
 */
export type QuipuHooks = {
  /** Before an attempt. The returned headers are sent, such as `traceparent`; those of the client stay. */
  readonly onRequest?: (attempt: AttemptInfo) => Readonly<Record<string, string>> | void
  /** After an attempt: answered, failed, or aborted by its caller. Each call follows one of `onRequest`. */
  readonly onResponse?: (answer: AnswerInfo) => void
  /** Before the pause that precedes a further attempt. */
  readonly onRetry?: (retry: RetryInfo) => void
}

/** The members of an answer that its headers have. */
export const answerFacts = (headers: Headers | undefined): Pick<AnswerInfo, 'replayed' | 'rateLimit'> => ({
  replayed: headers?.get('idempotent-replayed') === 'true',
  rateLimit: rateLimitOf(headers?.get('ratelimit-policy'), headers?.get('ratelimit')),
})

function rateLimitOf(policy: string | null | undefined, state: string | null | undefined): RateLimit | undefined {
  const [, name, quota] = /^"([^"]*)";q=(\d+)/.exec(policy ?? '') ?? []
  const [, remaining, reset] = /;r=(\d+);t=(\d+)/.exec(state ?? '') ?? []
  if (name === undefined || remaining === undefined) return undefined
  return { name, perSecond: Number(quota), remaining: Number(remaining), resetSeconds: Number(reset) }
}

/** Calls a hook. @returns undefined when there is none, or it throws */
export function callHook<Info, Result>(hook: ((info: Info) => Result) | undefined, info: Info): Result | undefined {
  try {
    return hook?.(info)
  } catch (error) {
    // oxlint-disable-next-line no-console -- A log that fails must not fail a payment, and must be seen.
    console.error(error)
    return undefined
  }
}

/** The headers of an attempt: those of the hook, below those of the client. */
export function attemptHeaders(
  ofHook: Readonly<Record<string, string>> | void,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const added = Object.entries(ofHook ?? {}).filter(([name]) => !taken.has(name.toLowerCase()))
  return { ...Object.fromEntries(added), ...own }
}
