/**
 * Every port of @quipu/core, in memory.
 *
 * @module @quipu/memory
 */
export type { NetworkCall, NetworkHooks } from './network/network-transport.ts'
export type { MemoryQr } from './network/qr-content.ts'
export { type MemoryQrNetwork, memoryQrNetwork, type MemoryQrNetworkOptions } from './network/qr-network.ts'
export type { FirstTenant } from './tenant/first-tenant.ts'
export { type MemoryDatabase, memoryDatabase, memoryStores, memoryStoresOver } from './stores.ts'
export { type MemoryWakeQueue, memoryWakeQueue, type MemoryWakeQueueOptions } from './webhook/wake-queue.ts'
