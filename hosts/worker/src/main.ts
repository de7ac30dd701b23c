import '@quipu/runtime/require-node'

await import('./run-worker.ts')
