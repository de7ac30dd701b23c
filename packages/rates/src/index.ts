/**
 * USDT/BOB rate sources: fixed, HTTP JSON, and a guarded composite.
 *
 * @module @quipu/rates
 */
export * from './composite/composite-rate.ts'
export * from './fixed-rate.ts'
export * from './http-json/http-json-rate.ts'
