import type { SpanFacts } from '@quipu/tracing'

/** The span of a unit of work of the worker. */
export const workSpan = (name: string, attributes: SpanFacts['attributes'] = {}): SpanFacts => ({
  scope: '@quipu/worker',
  name,
  kind: 'internal',
  attributes,
})
