import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { parentsGone } from './npx-exit.ts'

test('when npx is killed, what runs below it is told', async () => {
  if (process.platform !== 'linux') {
    expect(await Promise.race([parentsGone(), Promise.resolve('never')])).toBe('never')
    return
  }
  const module = new URL('npx-exit.ts', import.meta.url).href
  const script = `
    import { parentsGone } from '${module}'
    const gone = parentsGone()
    console.log('waiting')
    const life = setTimeout(() => console.log('not told'), 10_000)
    console.log(await gone)
    clearTimeout(life)`
  // As npx is seen by name, with a shell between it and the script.
  const shells = `sh -c '"$NODE" --input-type=module -e "$SCRIPT" & wait' & wait`
  const npx = spawn('sh', ['-c', shells], {
    argv0: 'npm exec pnpm@12 start',
    env: { PATH: process.env['PATH'], NODE: process.execPath, SCRIPT: script },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  npx.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said === 'waiting\n') npx.kill('SIGKILL')
  })

  await once(npx, 'close')
  expect(said).toBe('waiting\nnpx ended\n')
})

test('what was not started by npx waits for ever', async () => {
  expect(await Promise.race([parentsGone(), Promise.resolve('waits')])).toBe('waits')
})
