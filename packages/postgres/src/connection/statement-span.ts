import type { SpanFacts } from '@quipu/tracing'

/** The span of a statement, or of an item of a batch that calls it. Its parameters are not recorded. */
export const statementSpan = (name: string): SpanFacts => ({
  scope: '@quipu/postgres',
  name,
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
})
