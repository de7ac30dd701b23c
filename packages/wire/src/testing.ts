export { arbitraryFromSchema } from './testing/arbitrary-from-schema.ts'
export { type JsonSchema, satisfiesSchema, schemaFaults, type SchemaDocument } from './testing/json-schema.ts'
export { nearMisses } from './testing/near-misses.ts'
