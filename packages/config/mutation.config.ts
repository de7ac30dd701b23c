import { fileURLToPath } from 'node:url'
import { matchesGlob } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSequencerConstructor } from 'vitest/node'

// `mutate` sets the tests that run against each mutant, the fastest first.
const tests = (process.env['QUIPU_MUTATION_TESTS'] ?? '').split('|')

const root = fileURLToPath(new URL('../..', import.meta.url))
const positionOf = (file: string): number =>
  tests.findIndex((glob) => matchesGlob(file.slice(root.length), glob))

/** Runs the files in the order of `tests`: the first test that fails ends the run. Vitest takes a class. */
const inOrder: TestSequencerConstructor = class extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    return files.toSorted((a, b) => positionOf(a.moduleId) - positionOf(b.moduleId))
  }
}

const config: ViteUserConfig = defineConfig({
  root,
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: tests,
    sequence: { sequencer: inOrder },
    setupFiles: ['packages/config/src/mutate/fixed-seed.ts'],
    runner: 'packages/config/src/mutate/first-failure.ts',
    // Test files of one mutant share module instances; each mutant has instances of its own.
    isolate: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})

export default config
