import '@quipu/runtime/require-node'

await import('./start/run-local.ts')
