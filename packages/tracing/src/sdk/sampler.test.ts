import { ROOT_CONTEXT, type Span, trace, TraceFlags } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { headSampled } from './head-sampling.ts'
import { samplingOf } from './sampler.ts'

type Settings = Parameters<typeof samplingOf>[0]

function tracerOf(settings: Settings) {
  const { sampler, rootShare } = samplingOf(settings)
  return headSampled(new TracerProvider({ sampler }), rootShare).getTracer('test')
}

/** Whether a span is recorded below a remote parent that was sampled, below one that was not, and as a root. */
function decisions(settings: Settings): boolean[] {
  const [traceId, spanId] = ['ff'.repeat(16), 'cd'.repeat(8)]
  const parents = [TraceFlags.SAMPLED, TraceFlags.NONE].map((traceFlags) =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true }),
  )
  const tracer = tracerOf(settings)
  return [...parents, ROOT_CONTEXT].map((parent) => tracer.startSpan('name', {}, parent).isRecording())
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
] as const)('%s with %d records below sampled, below not sampled, roots: %j', (sampler, ratio, is) => {
  expect(decisions({ sampler, ratio })).toEqual(is)
})

test('a ratio samples its share of root spans, whatever their callers send', () => {
  const tracer = tracerOf({ sampler: 'parentbased_traceidratio', ratio: 0.2 })
  const sampledParent = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: '0'.repeat(31) + '1', // TraceIdRatioBasedSampler would sample it.
    spanId: 'cd'.repeat(8),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
  const spans = Array.from({ length: 5_000 }, () => tracer.startSpan('name', { root: true }, sampledParent))
  const share = spans.filter((span) => span.isRecording()).length / spans.length
  expect(share).toBeGreaterThan(0.15)
  expect(share).toBeLessThan(0.25)
})

test('the tracer’s other methods decide in the same way', () => {
  const started = (ratio: number): boolean =>
    tracerOf({ sampler: 'parentbased_traceidratio', ratio }).startActiveSpan('name', (span: Span) => span.isRecording())
  expect([started(0), started(1)]).toEqual([false, true])
})
