// Runs the tests: `node run-tests.ts [vitest arguments]`. Its last line is `N passed, N failed`. A run without tests fails.
// A run that hangs says where, and fails after an hour, or the TEST_RUN_MINUTES of the environment.
import { createVitest, parseCLI, type TestModule } from 'vitest/node'

const minutes = Number(process.env['TEST_RUN_MINUTES'] ?? 60)

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const config = 'packages/config/vitest.config.ts'
const vitest = await createVitest('test', { ...options, config, watch: false })

/** The first test without a result of each file that runs; the file alone when it loads or cleans up. */
const running = (): string[] =>
  vitest.state
    .getTestModules()
    .filter((module) => module.state() === 'pending')
    .map((module) => {
      const [test] = module.children.allTests('pending')
      return [module.relativeModuleId, ...(test ? [test.fullName] : [])].join(' > ')
    })
const sayRunning = (): void => console.log(['Still running:', ...running()].join('\n  '))
const saying = setInterval(sayRunning, (minutes * 60_000) / 6).unref()
const limit = setTimeout(() => {
  sayRunning()
  console.log(`No end after ${minutes} minutes.\n0 passed, 1 failed`)
  process.exit(1)
}, minutes * 60_000).unref()

await vitest.start(filter).catch((error: unknown) => {
  if (!(error instanceof Error && 'code' in error && error.code === 'VITEST_FILES_NOT_FOUND')) throw error
})
const modules = vitest.state.getTestModules()
const unhandled = vitest.state.getUnhandledErrors().length
await vitest.close()
clearInterval(saying)
clearTimeout(limit)

const count = (state: 'passed' | 'failed' | 'skipped'): number =>
  modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0)

/** A file that does not load has no tests. It counts as one failure. */
const broken = (module: TestModule): boolean =>
  module.state() === 'failed' && module.children.allTests().next().done === true

const passed = count('passed')
const failed = count('failed') + modules.filter(broken).length + unhandled
if (passed + failed === 0) console.log('No test ran: check the paths and filters.')
const notRun = count('skipped')
if (notRun > 0) console.log(`Not selected: ${notRun}. \`npx -y pnpm@12 test:whole\` runs all tests.`)
console.log(`${passed} passed, ${failed} failed`)
if (passed === 0 || failed > 0) process.exitCode = 1
