import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { slowestFirst } from './test-order.config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
// The programs that tests start share compiled code.
process.env['NODE_COMPILE_CACHE'] ??= `${root}/node_modules/.cache/node`

const config: ViteUserConfig = defineConfig({
  root,
  // Tests import the sources of workspace packages. No further conditions: 'import' breaks pg.
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{packages,hosts,docs}/*/src/**/*.test.ts'],
    globalSetup: [
      'packages/embedded-postgres/src/testing/vitest-global-setup.ts',
      'hosts/local/src/test/harness/program-bundle.fixture.ts',
    ],
    pool: 'forks',
    // Fewer collections of what lives shortly: 4 % of the CPU.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Test files share module instances. No file changes module state.
    isolate: false,
    // Two for each core of a small machine: many tests wait half of their time, for leases and for programs they started.
    maxWorkers: 4,
    sequence: { sequencer: slowestFirst },
    allowOnly: false,
    tags: [{ name: 'long', description: 'runs on demand, in `test:whole`; a shorter test samples its rule' }],
    // These limits end a test that hangs. They are no part of a test, and no machine is so busy that it reaches them.
    expect: { requireAssertions: true, poll: { timeout: 540_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})

export default config
