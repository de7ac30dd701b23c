import '@quipu/runtime/require-node'

await import('./run-local.ts')
