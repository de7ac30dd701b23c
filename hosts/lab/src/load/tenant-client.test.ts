import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Quipu } from '@quipu/client'
import { type AnswerLog, answerLog } from '../agreement/answer-log.ts'
import { type AnswerCounts, loggingClient } from './tenant-client.ts'

const payout = { id: 'po_1', transaction_id: 'order-1', status: 'completed', error: null }
const moved = { type: 'payout', payout_id: 'po_1', transaction_id: 'order-1' }
const page = (data: readonly unknown[]): object => ({ data, has_more: false, next_cursor: null })
const refusal = { error: { code: 'NOT_FOUND', message: 'none', request_id: 'req_1' } }

let answer: readonly [status: number, json: object] = [200, payout]
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]))
  })
})
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => void server.close())

function clientOf(): { log: AnswerLog; counts: AnswerCounts; client: Quipu } {
  const [log, counts] = [answerLog(), {}]
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]
  return { log, counts, client: loggingClient({ apiKey: 'qpu_test_1', urls, random: () => 0, log, counts }) }
}

const reads: Readonly<Record<string, readonly [object, (client: Quipu) => Promise<unknown>]>> = {
  'one payout': [payout, (client) => client.payouts.get('po_1')],
  payouts: [page([payout]), (client) => client.payouts.list().page()],
  'wallet transactions': [page([moved]), (client) => client.wallets.transactions().page()],
  events: [page([{ type: 'payout.completed', data: payout }]), (client) => client.events.list().page()],
}

test.each(Object.entries(reads))('the payouts in an answer with %s are logged', async (_, [json, read]) => {
  const { log, counts, client } = clientOf()
  answer = [200, json]
  await read(client)
  expect(log.finalStatusOf('order-1')).toBe('completed')
  expect(counts).toEqual({ 'GET 200': 1 })
})

const denials: readonly (readonly [number, object, (client: Quipu) => Promise<unknown>])[] = [
  [404, refusal, (client) => client.payouts.get('po_1')],
  [200, page([]), (client) => client.payouts.list({ transaction_id: 'order-1' }).page()],
  [
    409,
    refusal,
    (client) =>
      client.payouts.create({ transaction_id: 'order-1', type: 'qr', quote_id: 'quo_1', qr: { content: 'a' } }),
  ],
]

test.each(denials)('an answer %i that denies a known payout is a violation, %j', async (status, json, ask) => {
  const { log, client } = clientOf()
  answer = [status, json]
  await ask(client).catch(() => undefined)
  expect(log.violations).toEqual([])
  log.add('POST', payout, 0)
  await ask(client).catch(() => undefined)
  expect(log.violations).toMatchObject([{ kind: 'denied' }])
})
