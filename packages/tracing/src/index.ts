/**
 * The spans of Quipu's adapters and hosts, by the API of OpenTelemetry. Without an SDK in the process they cost
 * nothing and record nothing.
 *
 * @module @quipu/tracing
 */
export * from './active-span.ts'
export * from './child-span.ts'
export * from './http-span.ts'
export * from './queued-span.ts'
export * from './server-span.ts'
export * from './stored-trace.ts'
export * from './work-span.ts'
