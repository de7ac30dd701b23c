import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { samplerOf } from './sampler.ts'

const traceId = 'ff'.repeat(16)

/** Whether a span is recorded below a remote parent that was sampled, below one that was not, and as a root. */
function decisions(sampler: Parameters<typeof samplerOf>[0]['sampler'], ratio: number) {
  const spanId = 'cd'.repeat(8)
  const parents = [TraceFlags.SAMPLED, TraceFlags.NONE].map((traceFlags) =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true }),
  )
  return [...parents, ROOT_CONTEXT].map((parent) => {
    const { decision } = samplerOf({ sampler, ratio }).shouldSample(
      parent,
      traceId,
      'name',
      SpanKind.SERVER,
      {},
      [],
    )
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  })
}

test.each([
  ['always_on', 0, [true, true, true]],
  ['always_off', 1, [false, false, false]],
  ['traceidratio', 0, [false, false, false]],
  ['traceidratio', 1, [true, true, true]],
  ['parentbased_always_on', 0, [true, false, true]],
  ['parentbased_always_off', 1, [true, false, false]],
  ['parentbased_traceidratio', 0, [true, false, false]],
  ['parentbased_traceidratio', 1, [true, false, true]],
] as const)('%s with %d records below sampled, below not sampled, roots: %j', (name, ratio, is) => {
  expect(decisions(name, ratio)).toEqual(is)
})
