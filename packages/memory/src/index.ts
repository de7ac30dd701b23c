export { type MemoryStores, memoryStores } from './stores.ts'
