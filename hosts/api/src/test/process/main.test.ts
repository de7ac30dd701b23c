import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Json, sendRequest } from '../harness/http-client.fixture.ts'
import { apiDatabase } from '../harness/postgres-api.fixture.ts'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))

const start = (env: Record<string, string>) =>
  spawn(process.execPath, ['--conditions=source', main], { env, stdio: 'pipe' })

const required = {
  DATABASE_URL: 'postgres://127.0.0.1:1/quipu',
  OPERATOR_PORT: '0',
  QR_NETWORK_URL: 'http://127.0.0.1:1',
  QR_NETWORK_TOKEN: 'token',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
}

/** A process that has started, and its first line. */
async function startedOn(env: Record<string, string>) {
  const child = start({ ...required, PORT: '0', ...env })
  const [line] = await once(child.stdout, 'data')
  const started: Json = JSON.parse(String(line))
  expect(started).toMatchObject({ level: 'info', msg: 'api started' })
  return { child, started }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

test('unusable settings end the process with one message that lists every variable', async () => {
  const child = start({ PORT: 'x', RATE_SOURCE: 'fixed' })
  const exited = once(child, 'exit')
  const said = await textOf(child.stderr)
  expect((await exited)[0]).toBe(1)
  const names = ['DATABASE_URL', 'PORT', 'QR_NETWORK_URL', 'QR_NETWORK_TOKEN', 'RATE_BID']
  for (const name of names) expect(said).toContain(`  ${name}: `)
  expect(said).not.toContain('    at ')
})

test('an address that cannot be bound ends the process with a message that names the settings', async () => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const messageOf = async (env: Record<string, string>): Promise<string> => {
    const child = start({ ...required, ...env })
    const exited = once(child, 'exit')
    const text = await textOf(child.stderr)
    expect((await exited)[0]).toBe(1)
    return text
  }
  const [own, operators] = await Promise.all([
    messageOf({ PORT: String(port) }),
    messageOf({ PORT: '0', OPERATOR_HOST: '192.0.2.1' }),
  ])
  expect(own).toBe(
    `These settings cannot be used:\n  HOST, PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  )
  expect(operators).toContain('  OPERATOR_HOST, OPERATOR_PORT: listen EADDRNOTAVAIL')
  taken.close()
})

test('the process starts, serves, and stops at SIGTERM', async () => {
  const { url, drop } = await apiDatabase()
  const { child, started } = await startedOn({ DATABASE_URL: url, DRAIN_SECONDS: '1' })
  const exited = once(child, 'exit')
  expect((await sendRequest(`${started.url}/readyz`, 'GET')).status).toBe(200)
  expect((await sendRequest(`${started.operator_url}/readyz`, 'GET')).status).toBe(200)
  const stoppedAt = performance.now()
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  expect(performance.now() - stoppedAt).toBeGreaterThan(950)
  await drop()
})

test('while it drains, both ports are not ready and serve, each connection for one answer', async () => {
  const { url, drop } = await apiDatabase()
  const { child, started } = await startedOn({ DATABASE_URL: url, DRAIN_SECONDS: '600' })
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  for (const base of [started.url, started.operator_url]) {
    const readiness = () => sendRequest(`${base}/readyz`, 'GET')
    while ((await readiness()).status === 200) continue
    expect((await readiness()).json).toMatchObject({
      status: 'not_ready',
      checks: { serving: 'failing', database: 'ok' },
    })
    const alive = await fetch(`${base}/healthz`)
    expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close'])
  }
  expect((await sendRequest(`${started.url}/v1/wallets`, 'GET')).status).toBe(401)
  expect((await sendRequest(`${started.url}/v1/openapi.json`, 'GET')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exited).toEqual([1, null])
  await drop()
})
