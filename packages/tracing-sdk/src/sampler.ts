import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { TraceExport } from './trace-export.ts'

/** The sampler with a standard name. */
export function samplerOf({ sampler, ratio }: Pick<TraceExport, 'sampler' | 'ratio'>): Sampler {
  const prefix = 'parentbased_'
  if (!sampler.startsWith(prefix)) return ofRoots(sampler, ratio)
  return new ParentBasedSampler({ root: ofRoots(sampler.slice(prefix.length), ratio) })
}

function ofRoots(name: string, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOffSampler()
}
