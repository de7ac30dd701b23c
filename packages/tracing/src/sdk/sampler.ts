import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { TraceExport } from './trace-export.ts'

/** The SDK's sampler, and the share of root spans that it is asked about. */
export type Sampling = { readonly sampler: Sampler; readonly rootShare: number }

const prefix = 'parentbased_'

/** The sampling with a standard name. */
export function samplingOf({ sampler, ratio }: Pick<TraceExport, 'sampler' | 'ratio'>): Sampling {
  if (!sampler.startsWith(prefix)) return { sampler: ofAll(sampler, ratio), rootShare: 1 }
  if (sampler === 'parentbased_traceidratio')
    return { sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }), rootShare: ratio }
  const root = ofAll(sampler.slice(prefix.length), ratio)
  return { sampler: new ParentBasedSampler({ root }), rootShare: 1 }
}

function ofAll(name: string, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOffSampler()
}
