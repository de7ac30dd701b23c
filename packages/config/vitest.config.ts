import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { longTestsFirst } from './test-order.config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
// The programs that tests start share compiled code.
process.env['NODE_COMPILE_CACHE'] ??= `${root}/node_modules/.cache/node`

const config: ViteUserConfig = defineConfig({
  root,
  // Tests import the sources of workspace packages. No further conditions: 'import' breaks pg.
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{packages,hosts,docs}/*/src/**/*.test.ts'],
    globalSetup: ['packages/embedded-postgres/src/testing/vitest-global-setup.ts'],
    pool: 'forks',
    // Test files share module instances. No file changes module state.
    isolate: false,
    // One more than the cores of a small machine, since many tests wait for programs they started.
    maxWorkers: 3,
    sequence: { sequencer: longTestsFirst },
    allowOnly: false,
    // The deadline of a poll is no part of a test: by default it is one second, which a busy machine exceeds.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // Allows for a machine that runs other tests at the same time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})

export default config
