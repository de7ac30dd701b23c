// The test command, at the root: `node test-command.ts` runs every guard and all tests but the long ones, and
// `node test-command.ts [vitest arguments]` runs some tests alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { checkPackages, checkSources, checkTypes } from './check-guards.ts'
import { program } from './guards.ts'

const selected = process.argv.slice(2)
const allButLong = ['--tags-filter', '!long']

async function testsPass(selection: readonly string[]): Promise<boolean> {
  const [, ...args] = program('run-tests.ts')
  const tests = spawn(process.execPath, [...args, ...selection], { stdio: 'inherit' })
  await once(tests, 'close')
  return tests.exitCode === 0
}

/** Tests wait for the programs that they start, and leave processors to the guards. */
async function allPass(): Promise<boolean> {
  if (!(await checkTypes())) return false
  const guarded = (async () => [await checkSources(), await checkPackages()])()
  const passed = await testsPass(allButLong)
  const isGuarded = !(await guarded).includes(false)
  if (!isGuarded) console.log('A guard failed: see ✗ above.')
  return passed && isGuarded
}

if (!(await (selected.length > 0 ? testsPass(selected) : allPass()))) process.exitCode = 1
