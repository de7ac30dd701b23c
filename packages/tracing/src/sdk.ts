/**
 * Exports the traces of a host process. Loads the SDK of OpenTelemetry with the first trace settings, not before.
 *
 * @module @quipu/tracing/sdk
 */
export * from './sdk/export-traces.ts'
export type { LostSpans } from './sdk/counted-spans.ts'
export type * from './sdk/trace-export.ts'
