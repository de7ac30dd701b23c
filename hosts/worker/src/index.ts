export { workerLoops, type WorkerSystem } from './composition/worker-loops.ts'
export type { Chain, WorkerPorts, WorkerStores } from './ports.ts'
export * from './settings/settings.ts'
export * from './start-worker.ts'
