// Runs the tests: `node run-tests.ts [vitest arguments]`. Its last line is `N passed, N failed`. A run without tests fails.
import { parseCLI, startVitest, type TestModule } from 'vitest/node'

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const config = 'packages/config/vitest.config.ts'
const vitest = await startVitest('test', filter, { ...options, config, watch: false })
const modules = vitest.state.getTestModules()
const unhandled = vitest.state.getUnhandledErrors().length
await vitest.close()

const count = (state: 'passed' | 'failed'): number =>
  modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0)

/** A file that does not load has no tests. It counts as one failure. */
const broken = (module: TestModule): boolean =>
  module.state() === 'failed' && module.children.allTests().next().done === true

const passed = count('passed')
const failed = count('failed') + modules.filter(broken).length + unhandled
if (passed + failed === 0) console.log('No test ran: check the paths and filters.')
console.log(`${passed} passed, ${failed} failed`)
if (passed === 0 || failed > 0) process.exitCode = 1
