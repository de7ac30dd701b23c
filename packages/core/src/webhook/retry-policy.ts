import type { AttemptError } from './sender.ts'

/** When a delivery is tried again. @source spec §6.3, §8 Webhook retries */
export type RetryPolicy = {
  /** How often it is tried in all, the first time included. */
  readonly attempts: number
  readonly firstDelaySeconds: number
  readonly maxDelaySeconds: number
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 8,
  firstDelaySeconds: 30,
  maxDelaySeconds: 3600,
}

/** A retry is put off by up to this part of its delay, so that many do not come at once; never early. */
const jitterPart = 0.1

/**
 * How long to wait after a failed attempt, in ms.
 *
 * @param attempt  which one it was, from 1
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

/** What follows from an attempt. */
export type RetryDecision =
  | { readonly type: 'delivered' }
  | { readonly type: 'retry'; readonly inMs: number }
  /** It has run out of attempts. */
  | { readonly type: 'exhausted' }

/** @param attempt  the attempt of the policy, from 1 */
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
