import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate } from '@quipu/postgres'
import { expect, test } from 'vitest'
import { ask, type Json } from './http-client.fixture.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

const start = (env: Record<string, string>) =>
  spawn(process.execPath, ['--conditions=source', main], { env, stdio: 'pipe' })

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

test('a bad configuration ends the process with one message that lists every variable', async () => {
  const child = start({ PORT: 'x', RATE_SOURCE: 'fixed' })
  const exited = once(child, 'exit')
  const said = await textOf(child.stderr)
  expect((await exited)[0]).toBe(1)
  const names = ['DATABASE_URL', 'PORT', 'QR_NETWORK_URL', 'QR_NETWORK_TOKEN', 'RATE_BID']
  for (const name of names) expect(said).toContain(`  ${name}: `)
  expect(said).not.toContain('    at ')
})

test('the process starts, answers, and stops at SIGTERM', async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_api', migrate })
  const child = start({
    DATABASE_URL: url,
    PORT: '0',
    OPERATOR_PORT: '0',
    QR_NETWORK_URL: 'http://127.0.0.1:1',
    QR_NETWORK_TOKEN: 'token',
    RATE_SOURCE: 'fixed',
    RATE_BID: '9.9500',
  })
  const exited = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  const started: Json = JSON.parse(String(line))
  expect(started).toMatchObject({ level: 'info', msg: 'api started' })
  expect((await ask(`${started.url}/readyz`, 'GET')).status).toBe(200)
  expect((await ask(`${started.operator_url}/readyz`, 'GET')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  await drop()
})
