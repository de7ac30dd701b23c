import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** The fast tests that `mutate` runs: those without a server or a process. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/{core,wire,webhook-http,memory}/src/**/*.test.ts'],
    isolate: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})

export default config
