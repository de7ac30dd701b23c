/**
 * The QR network port of @quipu/core over HTTP.
 *
 * @module @quipu/qr-network
 */
export * from './http-qr-network.ts'
export type { ClientOptions } from './bearer-client.ts'
export * from './network-callbacks.ts'
export * from './sandbox-qr-issuer.ts'
