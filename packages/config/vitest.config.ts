import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Tests start many programs, which need not compile the same files again each time.
process.env['NODE_COMPILE_CACHE'] ??= `${root}/node_modules/.cache/node`

const config: ViteUserConfig = defineConfig({
  root,
  // Workspace packages are tested from their source. Exactly this list: adding 'import' breaks pg.
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{packages,hosts,docs}/*/src/**/*.test.ts'],
    globalSetup: ['packages/embedded-postgres/src/testing/vitest-global-setup.ts'],
    pool: 'forks',
    // Files share what they import; none of them changes it.
    isolate: false,
    // One more than the cores of a small machine, since many tests wait for programs they started.
    maxWorkers: 3,
    allowOnly: false,
    expect: { requireAssertions: true },
    // For a machine that is busy with other tests.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})

export default config
