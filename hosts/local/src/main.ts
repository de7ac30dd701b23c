import '@quipu/runtime/require-node'

await import('./start/run-start.ts')
