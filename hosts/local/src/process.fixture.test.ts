import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { until } from './process.fixture.ts'

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a program ends with the process of the test that started it', async () => {
  const fixture = new URL('process.fixture.ts', import.meta.url).href
  const script = `
    import { run } from '${fixture}'
    const program = run('example/src/main.ts', { PORT: '0' })
    await program.says(/http:/)
    console.log(program.pid)`
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const starter = spawn(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', script],
    { env: { PATH, NODE_COMPILE_CACHE }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [said] = (await once(starter.stdout.setEncoding('utf8'), 'data')) as [string]
  const pid = Number(said)
  expect(isAlive(pid)).toBe(true)

  starter.kill('SIGKILL')

  await until('the program has ended', () => !isAlive(pid))
})
