import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const host = fileURLToPath(new URL('./signalled-host.fixture.ts', import.meta.url))

test('a signal that arrives during the start stops the host in order', async () => {
  const child = spawn(process.execPath, ['--conditions=source', host], { stdio: 'pipe' })
  const exited = once(child, 'exit')
  let written = ''
  for await (const chunk of child.stdout) {
    written += String(chunk)
    if (written === 'starting\n') child.kill('SIGTERM')
  }
  expect([written, await exited]).toEqual(['starting\nstarted\nstopped\n', [0, null]])
})
