import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { networkSignature, type Callback } from './callbacks.ts'
import { callbackSecret, startFixture } from '../qr-network.fixture.ts'

type Received = { readonly headers: IncomingHttpHeaders; readonly text: string; callback: Callback }

/** Answers with these statuses in turn, then 204. */
async function receiver(...statuses: number[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, text, callback: JSON.parse(text) as Callback })
      response.writeHead(statuses.shift() ?? 204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`, received }
}

const at = Date.parse('2026-11-21T12:00:03.000Z') / 1000

test('the settlement of a late payment causes one signed callback', async () => {
  const { url, received } = await receiver()
  const { network, payScenario, step } = await startFixture({ callbackUrl: url })
  await payScenario('po_1', 'late')
  await network.tick()
  expect(received).toEqual([])
  step(3_000)
  await network.tick()
  await network.tick()

  expect(received).toHaveLength(1)
  expect(received[0]?.callback).toEqual({
    event_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    reference: 'po_1',
    outcome: 'paid',
    occurred_at: '2026-11-21T12:00:03.000Z',
  })
  const signature = networkSignature(callbackSecret, at, received[0]?.text ?? '')
  expect(received[0]?.headers['x-network-signature']).toBe(signature)
})

test('the signature matches the documentation', () => {
  // printf '%s' '1700000000.{"a":1}' | openssl dgst -sha256 -hmac secret
  expect(networkSignature('secret', 1_700_000_000, '{"a":1}')).toBe(
    't=1700000000,v1=49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686',
  )
})

test('a callback is retried after 1, 5 and 15 s with the same body and a new signature', async () => {
  const { url, received } = await receiver(500, 500, 302, 500)
  const { network, payScenario, step } = await startFixture({ callbackUrl: url })
  await payScenario('po_1', 'late')
  const attempts: number[] = []
  for (const seconds of [3, 1, 5, 15, 60]) {
    step(seconds * 1_000)
    await network.tick()
    attempts.push(received.length)
  }
  expect(attempts).toEqual([1, 2, 3, 4, 4])
  expect(new Set(received.map(({ text }) => text)).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['x-network-signature'])).size).toBe(4)
})

test('a manual settlement causes a callback to the current URL', async () => {
  const { url, received } = await receiver()
  const { network, payScenario } = await startFixture()
  await payScenario('po_1', 'late_unsettled')
  network.setCallbackUrl(url)
  network.settle('po_1', 'limit')
  await network.tick()
  expect(received.map(({ callback }) => callback.outcome)).toEqual(['limit'])
})

test('callbacks can be duplicated, forged and dropped', async () => {
  const { url, received } = await receiver()
  const { network, payScenario } = await startFixture({ callbackUrl: url })
  const settle = async (reference: string) => {
    await payScenario(reference, 'late_unsettled')
    network.settle(reference)
    await network.tick()
  }

  await network.setFaults({ duplicate_callbacks: 2 })
  await settle('po_1')
  expect(received).toHaveLength(3)
  expect(new Set(received.map(({ callback }) => callback.event_id)).size).toBe(1)

  received.length = 0
  await network.clearFaults()
  await network.setFaults({ forge_callbacks: true })
  await settle('po_2')
  expect(received.map(({ callback }) => callback.outcome)).toEqual(['refused_payment', 'paid'])
  const signed = received.map(
    ({ headers, text }) => headers['x-network-signature'] === networkSignature(callbackSecret, at - 3, text),
  )
  expect(signed).toEqual([false, true])

  received.length = 0
  await network.setFaults({ drop_callbacks: true })
  await settle('po_3')
  expect(received).toEqual([])
})
