/**
 * OpenHub of ATC as the QR network port of @quipu/core.
 *
 * @module @quipu/openhub
 */
export type { Envelope, Heard } from './envelope.ts'
export * from './openhub.ts'
export * from './openhub-calls.ts'
export * from './options.ts'
export type { OpenHubOperation, Unfamiliar } from './unfamiliar.ts'
