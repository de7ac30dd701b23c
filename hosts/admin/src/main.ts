#!/usr/bin/env node
import '@quipu/runtime/require-node'

await import('./run-admin.ts')
