import 'reflect-metadata'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { jsonLog, readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { WorkerSettings } from './settings/settings.ts'
import { startWorker } from './start-worker.ts'

test('a stop leaves items that do not end within STOP_WITHIN_MS', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const settings = readSettings(WorkerSettings, {
    DATABASE_URL: `postgres://quipu:quipu@127.0.0.1:${port}/quipu`,
    QR_NETWORK_URL: 'http://127.0.0.1:9',
    QR_NETWORK_TOKEN: 'none',
    STOP_WITHIN_MS: '20',
    WORKER_PORT: '0',
  })
  const lines: unknown[] = []
  const write = (line: string): void => void lines.push((JSON.parse(line) as { msg: string }).msg)
  const connected = once(silent, 'connection')
  const worker = await startWorker(settings, jsonLog('info', { write }))
  await connected
  await worker.stop()
  expect(lines).toEqual([
    'worker started',
    'worker stopping',
    'stopped with items in progress; they become due again when their leases end',
    'worker stopped',
  ])
  silent.close()
  for (const socket of sockets) socket.destroy()
})
