import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { QrNetworkSimulator } from '@quipu/simulators'
import { answerLog } from '../agreement/answer-log.ts'
import { startLoad } from './load.ts'

const tenant = { id: 'ten_1', apiKey: 'key' }
const rate = { writers: 0, readers: 0, reserve: 0, quoters: 0, twice: 0, pauseMs: [1, 1] } as const
const quote = { id: 'quo_1', source: { amount: '1.000000' } }

/** An API that accepts no payout until it recovers. */
async function startApi() {
  let isRecovered = false
  const refused = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.resume()
    const answer = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/v1/quotes') return answer(201, quote)
    if (isRecovered) return answer(201, { id: 'po_1', transaction_id: 'order-1', status: 'completed', error: null })
    answer(503, { error: { code: 'SERVICE_UNAVAILABLE', message: 'Retry later.', request_id: 'r' } })
    refused.resolve()
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, refused: refused.promise, recover: () => (isRecovered = true) }
}

test('an order that the wait for it has left behind is paid before the load stops', async () => {
  const api = await startApi()
  const network = { issueQr: () => ({ content: 'qr' }) } as unknown as QrNetworkSimulator
  const use = { prefix: 'order', random: () => 0.5, log: answerLog() }
  const load = await startLoad({ network, urls: [api.url], tenants: [tenant] }, rate, use)
  let isOver = false
  const since = performance.now()
  const paid = load.payThrough(api.url, () => isOver)
  await api.refused
  isOver = true
  expect(await paid).toBe(false)
  api.recover()
  await load.stop()
  expect(load.intents.map(({ ended }) => ended)).toEqual(['completed'])
  expect(load.sentSince(since)).toMatchObject({ accepted: 1 })
})
