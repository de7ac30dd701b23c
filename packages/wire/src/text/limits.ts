import { defaultEndpointPolicy, defaultRetryPolicy, type EndpointPolicy, type RetryPolicy } from '@quipu/core'
import { retryDelayMs } from '@quipu/core/adapter'
import { durationText } from './number-text.ts'
import type { Language } from './text.ts'

/** The limits that the texts of a document state: those of the host that serves it. */
export type StatedLimits = { readonly endpoints: EndpointPolicy; readonly retries: RetryPolicy }

export const defaultLimits: StatedLimits = { endpoints: defaultEndpointPolicy, retries: defaultRetryPolicy }

/** The largest body of a request of tenants, operators or the network's callbacks, in bytes. */
export const bodyBytesMax: number = 64 * 1024

/** How long all attempts of a delivery take, without jitter, to the minute. */
export function retryTimeText(policy: RetryPolicy, language: Language): string {
  const delays = Array.from({ length: policy.attempts - 1 }, (_, i) => retryDelayMs(policy, i + 1, 0))
  const seconds = delays.reduce((sum, ms) => sum + ms, 0) / 1000
  return durationText(Math.ceil(seconds / 60) * 60, language)
}
