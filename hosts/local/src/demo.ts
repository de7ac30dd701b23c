import '@quipu/runtime/require-node'

await import('./run-demo.ts')
