import 'reflect-metadata'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { prometheusMetrics, readSettings } from '@quipu/runtime'
import { Container } from 'inversify'
import { expect, onTestFinished, test } from 'vitest'
import { senderModule } from '../composition/adapter-modules.ts'
import { SENDER } from '../composition/symbols.ts'
import type { WorkerContext } from '../ports.ts'
import { type WebhookWorkerSettings, WorkerSettings } from '../settings/settings.ts'

const env = {
  DATABASE_URL: 'postgres://127.0.0.1/none',
  QR_NETWORK_URL: 'http://127.0.0.1:9',
  QR_NETWORK_TOKEN: 'none',
  WEBHOOK_SECRET_KEY: '0f'.repeat(32),
}

/** A receiver on this machine, until the test ends. */
async function startReceiver() {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { port, requests: () => requests }
}

async function senderOf(more: Readonly<Record<string, string>>) {
  const container = new Container({ defaultScope: 'Singleton' })
  const settings = readSettings(WorkerSettings, { ...env, ...more }) as WebhookWorkerSettings
  const context: Pick<WorkerContext<WebhookWorkerSettings>, 'settings' | 'metrics'> = {
    settings,
    metrics: prometheusMetrics(),
  }
  container.load(senderModule(context as WorkerContext<WebhookWorkerSettings>))
  onTestFinished(() => container.unbindAllAsync())
  return container.get(SENDER)
}

test.each(['http://127.0.0.1', 'https://127.0.0.1', 'http://localhost', 'https://[::ffff:7f00:1]'])(
  'the worker delivers nothing to %s, wherever its URL was registered',
  async (origin) => {
    const receiver = await startReceiver()
    const sender = await senderOf({})
    const request = { url: `${origin}:${receiver.port}/`, headers: {}, body: new Uint8Array(2) }
    expect(await sender.send(request)).toMatchObject({ statusCode: null, error: 'ADDRESS_BLOCKED' })
    expect(receiver.requests()).toBe(0)
  },
)

test('WEBHOOK_ALLOW_PRIVATE=true delivers to this machine, for development', async () => {
  const receiver = await startReceiver()
  const sender = await senderOf({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const request = { url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: new Uint8Array(2) }
  expect(await sender.send(request)).toMatchObject({ statusCode: 204, error: null })
})
