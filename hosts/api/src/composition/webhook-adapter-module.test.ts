import 'reflect-metadata'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readSettings } from '@quipu/runtime'
import { Container } from 'inversify'
import { expect, onTestFinished, test } from 'vitest'
import { ApiSettings } from '../settings/settings.ts'
import { WEBHOOK_PORTS } from './symbols.ts'
import { webhookAdapterModule } from './webhook-adapter-module.ts'

const env = {
  DATABASE_URL: 'postgres://127.0.0.1/none',
  QR_NETWORK_URL: 'http://127.0.0.1:9',
  QR_NETWORK_TOKEN: 'none',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.95',
  WEBHOOK_SECRET_KEY: '0f'.repeat(32),
}

/** The ports of a process with these settings, and a receiver on this machine. */
async function setUp(more: Readonly<Record<string, string>>) {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(webhookAdapterModule(readSettings(ApiSettings, { ...env, ...more })))
  onTestFinished(async () => {
    await container.unbindAllAsync()
    server.close()
  })
  const ports = container.get(WEBHOOK_PORTS)
  if (!ports) throw new Error('no webhooks')
  return { ...ports, port: (server.address() as AddressInfo).port, requests: () => requests }
}

test.each(['http://127.0.0.1', 'https://127.0.0.1', 'http://localhost', 'https://[::ffff:7f00:1]'])(
  'a test delivery sends nothing to %s, and its URL is refused',
  async (origin) => {
    const { sender, urlGuard, port, requests } = await setUp({})
    const url = `${origin}:${port}/`
    const result = await sender.send({ url, headers: {}, body: new Uint8Array(2) })
    expect(result).toMatchObject({ statusCode: null, error: 'ADDRESS_BLOCKED' })
    expect(requests()).toBe(0)
    expect(await urlGuard.check(url)).toEqual(expect.any(String))
  },
)

test('WEBHOOK_ALLOW_PRIVATE=true allows this machine, for development', async () => {
  const { sender, urlGuard, port } = await setUp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const url = `http://127.0.0.1:${port}/`
  const result = await sender.send({ url, headers: {}, body: new Uint8Array(2) })
  expect(result).toMatchObject({ statusCode: 204 })
  expect(await urlGuard.check(url)).toBeNull()
})
