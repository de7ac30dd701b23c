import type { AttemptError } from './sender.ts'

/** How often and when a delivery is retried. @source spec §6.3, §8 Webhook retries */
export type RetryPolicy = {
  /** The maximum number of attempts, the first one included. */
  readonly attempts: number
  readonly firstDelaySeconds: number
  readonly maxDelaySeconds: number
}

/** The default of deliveries. @source spec §6.3, §8 Webhook retries */
export const defaultRetryPolicy: RetryPolicy = { attempts: 8, firstDelaySeconds: 30, maxDelaySeconds: 3600 }

/** The maximum jitter as a fraction of the delay: it spreads retries, and none is early. */
const jitterPart = 0.1

/**
 * How long to wait after a failed attempt, in ms: `firstDelaySeconds`, doubled by each further attempt up to
 * `maxDelaySeconds`. Notices use it too.
 *
 * @param attempt  its number, from 1
 * @param jitter  from 0 up to 1
 */
export function retryDelayMs(
  { firstDelaySeconds, maxDelaySeconds }: RetryPolicy,
  attempt: number,
  jitter: number,
): number {
  const seconds = Math.min(firstDelaySeconds * 2 ** (attempt - 1), maxDelaySeconds)
  return seconds * 1000 + Math.floor(seconds * 1000 * jitterPart * jitter)
}

/** The step after an attempt. */
export type RetryDecision =
  | { readonly type: 'delivered' }
  | { readonly type: 'retry'; readonly inMs: number }
  /** No attempts are left. */
  | { readonly type: 'exhausted' }

/**
 * Decides what follows from an attempt.
 *
 * @param attempt  its number, from 1
 * @param jitter  from 0 up to 1
 */
export function nextRetry(
  policy: RetryPolicy,
  attempt: number,
  error: AttemptError | null,
  jitter: number,
): RetryDecision {
  if (error === null) return { type: 'delivered' }
  if (attempt >= policy.attempts) return { type: 'exhausted' }
  return { type: 'retry', inMs: retryDelayMs(policy, attempt, jitter) }
}
