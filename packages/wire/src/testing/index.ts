export { arbitraryFromSchema } from './arbitrary-from-schema.ts'
export { type JsonSchema, satisfiesSchema, type SchemaDocument } from './json-schema.ts'
export { nearMisses } from './near-misses.ts'
