export * from './settings.ts'
export * from './start-worker.ts'
