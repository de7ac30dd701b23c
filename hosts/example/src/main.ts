import '@quipu/runtime/require-node'

await import('./run-example.ts')
