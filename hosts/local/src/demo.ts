import '@quipu/runtime/require-node'

await import('./demo/run-demo.ts')
