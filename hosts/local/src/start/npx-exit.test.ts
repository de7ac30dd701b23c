import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { npxExit } from './npx-exit.ts'

test('resolves when the npx above it is killed', async () => {
  if (process.platform !== 'linux') {
    expect(await Promise.race([npxExit(), Promise.resolve('never')])).toBe('never')
    return
  }
  const module = new URL('npx-exit.ts', import.meta.url).href
  const script = `
    import { npxExit } from '${module}'
    const exit = npxExit()
    console.log('waiting')
    const timeout = setTimeout(() => console.log('not resolved'), 10_000)
    console.log(await exit)
    clearTimeout(timeout)`
  // npx is recognized by its command line; a shell runs between it and the script.
  const shells = `sh -c '"$NODE" --input-type=module -e "$SCRIPT" & wait' & wait`
  const npx = spawn('sh', ['-c', shells], {
    argv0: 'npm exec pnpm@12 start',
    env: { PATH: process.env['PATH'], NODE: process.execPath, SCRIPT: script },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  npx.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output === 'waiting\n') npx.kill('SIGKILL')
  })

  await once(npx, 'close')
  expect(output).toBe('waiting\nnpx ended\n')
})

test('never resolves without an npx above', async () => {
  expect(await Promise.race([npxExit(), Promise.resolve('pending')])).toBe('pending')
})
