import { activeSpan, inChildSpan } from '@quipu/tracing'
import type { Database, Query } from './database.ts'
import { statementSpan } from './statement-span.ts'

/** Runs each statement in a child of the active span, from its queue for a connection to its answer. */
export const tracedDatabase = (database: Database): Database => ({
  ...database,
  readLatest: traced(database.readLatest),
  query: traced(database.query),
  write: traced(database.write),
  read: traced(database.read),
  list: traced(database.list),
  transaction: (work) => inChildSpan(statementSpan('transaction'), () => database.transaction(work)),
})

const traced =
  (query: Query): Query =>
  (statement, values) =>
    activeSpan() === undefined
      ? query(statement, values)
      : inChildSpan(statementSpan(statement.name), () => query(statement, values))
