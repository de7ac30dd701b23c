import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

/** The code of the error with which the check for a process fails; undefined while there is one. */
const signalled = (pid: number): string | undefined => {
  try {
    process.kill(pid, 0)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

test('a program ends when the test process that started it ends', async () => {
  const fixture = new URL('process.fixture.ts', import.meta.url).href
  const script = `
    import { run } from '${fixture}'
    const program = run('example/src/main.ts', { PORT: '0' })
    await program.untilOutput(/http:/)
    console.log(program.pid)`
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const starter = spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', script], {
    env: { PATH, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = (await once(starter.stdout.setEncoding('utf8'), 'data')) as [string]
  const pid = Number(output)
  expect(process.kill(pid, 0)).toBe(true)

  starter.kill('SIGKILL')

  await expect.poll(() => signalled(pid)).toBe('ESRCH')
})
