export type { FuzzedAnswer } from './testing/answer-faults.ts'
export { arbitraryFromSchema } from './testing/arbitrary-from-schema.ts'
export type { FuzzDocument } from './testing/fuzz-operations.ts'
export {
  fuzz,
  type FuzzReport,
  fuzzReport,
  type FuzzTarget,
  summaryOf,
} from './testing/fuzz-run.ts'
export type { FuzzedRequest } from './testing/fuzzed-request.ts'
export { type JsonSchema, schemaFaults, type SchemaDocument } from './testing/json-schema.ts'
export { nearMisses } from './testing/near-misses.ts'
