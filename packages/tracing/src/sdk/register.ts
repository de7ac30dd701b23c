import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { TracerProvider, type TracerProviderOptions } from '@opentelemetry/sdk-trace'
import { headSampled } from './head-sampling.ts'
import type { Sampling } from './sampler.ts'

export type Registered = {
  /** Ends the provider, whose spans are sent, and removes it from the API. */
  readonly stop: () => Promise<void>
}

/**
 * Registers a provider of spans at the API, with propagation by the W3C's headers and without baggage.
 *
 * @returns undefined when this process has a provider already
 */
export function register(
  options: Omit<TracerProviderOptions, 'sampler'>,
  { sampler, rootShare }: Sampling,
): Registered | undefined {
  const provider = new TracerProvider({ ...options, sampler })
  if (!trace.setGlobalTracerProvider(headSampled(provider, rootShare))) return undefined
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  return {
    stop: async () => {
      try {
        await provider.shutdown()
      } finally {
        trace.disable()
        context.disable()
        propagation.disable()
      }
    },
  }
}
