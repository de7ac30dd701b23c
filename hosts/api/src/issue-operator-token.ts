import '@quipu/runtime/require-node'

await import('./operator/run-issue-operator-token.ts')
