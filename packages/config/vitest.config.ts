import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))

const config: ViteUserConfig = defineConfig({
  root,
  // Workspace packages are tested from their source. Exactly this list: adding 'import' breaks pg.
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{packages,hosts,docs}/*/src/**/*.test.ts'],
    globalSetup: ['packages/embedded-postgres/src/vitest-global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    allowOnly: false,
    expect: { requireAssertions: true },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

export default config
