import '@quipu/runtime/require-node'

await import('./run-api.ts')
