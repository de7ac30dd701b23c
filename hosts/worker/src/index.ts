export * from './settings/settings.ts'
export * from './start-worker.ts'
