/**
 * JSON over HTTP for adapters: requests sent at most once, and numbers that never become floats.
 *
 * @module @quipu/http-json
 */
export * from './exact-json.ts'
export * from './json-client.ts'
