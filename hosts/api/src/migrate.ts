import '@quipu/runtime/require-node'

await import('./run-migrations.ts')
