import { describe, expect, onTestFinished, test } from 'vitest'
import { openServer } from '../http-server.fixture.ts'
import {
  expressReceiver,
  fetchReceiver,
  type NodeRequest,
  type ReceiverOptions,
  signWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../index.ts'

const event = { id: 'e1', type: 'webhook.test', data: { webhook_id: 'we_1' } }
const body = JSON.stringify(event)

type Received = { readonly status: number; readonly text: string }
type Deliver = (headers: Record<string, string>, text: string) => Promise<Received>

const received = async (response: Response): Promise<Received> => ({
  status: response.status,
  text: await response.text(),
})

async function overHttp(options: ReceiverOptions): Promise<Deliver> {
  const receiver = expressReceiver(options)
  const server = await openServer(async (request, response) => receiver(request, response))
  onTestFinished(async () => server[Symbol.asyncDispose]())
  return async (headers, text) =>
    received(await fetch(server.url, { method: 'POST', headers, body: text }))
}

async function overFetch(options: ReceiverOptions): Promise<Deliver> {
  const receiver = fetchReceiver(options)
  return async (headers, text) => {
    const request = new Request('https://a.example/quipu', { method: 'POST', headers, body: text })
    return received(await receiver(request))
  }
}

describe.each([
  ['expressReceiver', overHttp],
  ['fetchReceiver', overFetch],
])('%s', (_, open) => {
  const setup = async (options: Partial<ReceiverOptions> = {}) => {
    const events: WebhookEvent[] = []
    const errors: unknown[] = []
    const deliver = await open({
      secrets: ['whsec_new', 'whsec_old'],
      onEvent: (taken) => void events.push(taken),
      onError: (error) => void errors.push(error),
      ...options,
    })
    const send = async (secret = 'whsec_old', text = body, at = new Date()): Promise<Received> =>
      deliver(await signWebhook({ id: 'e1', body: text }, secret, { at }), text)
    return { events, errors, deliver, send }
  }

  test('handles an event and answers 204', async () => {
    const { send, events, errors } = await setup()
    expect(await send()).toEqual({ status: 204, text: '' })
    expect(events).toEqual([event])
    expect(errors).toEqual([])
  })

  test('reads every character as it was sent', async () => {
    const text = JSON.stringify({ ...event, data: { webhook_id: 'ñandú 🇧🇴 \u2028' } }, null, 2)
    const { send, events } = await setup()
    expect((await send('whsec_new', text)).status).toBe(204)
    expect(events).toEqual([JSON.parse(text)])
  })

  test.each([
    ['mismatch', 'whsec_foreign', body, 0],
    ['stale', 'whsec_old', body, 301],
    ['unreadable', 'whsec_old', 'no JSON', 0],
  ])('answers 400 with the reason %s', async (reason, secret, text, ago) => {
    const { send, events, errors } = await setup()
    const at = new Date(Date.now() - ago * 1_000)
    expect(await send(secret, text, at)).toEqual({ status: 400, text: reason })
    expect(events).toEqual([])
    expect(errors).toEqual([expect.any(WebhookVerificationError)])
  })

  test('answers 400 without a signature, and without a body', async () => {
    const { deliver, events } = await setup()
    expect(await deliver({}, body)).toEqual({ status: 400, text: 'missing' })
    expect((await deliver({}, '')).status).toBe(400)
    expect(events).toEqual([])
  })

  test('answers 500 without the reason when onEvent throws', async () => {
    const failure = new Error('database password is wrong')
    const { send, errors } = await setup({ onEvent: () => Promise.reject(failure) })
    expect(await send()).toEqual({ status: 500, text: 'The event was not handled' })
    expect(errors).toEqual([failure])
  })

  test('answers a seen event without onEvent', async () => {
    const asked: string[] = []
    const seen = async (id: string): Promise<boolean> => asked.push(id) > 1
    const { send, events } = await setup({ seen })
    expect((await send()).status).toBe(204)
    expect((await send()).status).toBe(204)
    expect(asked).toEqual(['e1', 'e1'])
    expect(events).toHaveLength(1)
  })

  test('does not call seen for an event that is not verified', async () => {
    const asked: string[] = []
    const { send } = await setup({ seen: (id) => asked.push(id) > 0 })
    await send('whsec_foreign')
    expect(asked).toEqual([])
  })

  test('applies its own tolerance and prefix', async () => {
    const { send } = await setup({ toleranceSeconds: 1_000, headerPrefix: 'X-Service-' })
    expect((await send('whsec_old', body, new Date(Date.now() - 900_000))).status).toBe(204)
  })
})

test('a body larger than any event is not read to its end', async () => {
  let chunks = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks += 1
      controller.enqueue(new Uint8Array(64 * 1024))
    },
  })
  const receiver = fetchReceiver({
    secrets: 's',
    onEvent: () => undefined,
    onError: () => undefined,
  })
  const init = { method: 'POST', body: stream, duplex: 'half' } as const
  const response = await receiver(new Request('https://a.example', init))
  expect(response.status).toBe(400)
  expect(chunks).toBeLessThan(20)
})

describe('behind another reader of the body', () => {
  const open = async (before: (request: NodeRequest) => Promise<unknown>) => {
    const errors: unknown[] = []
    const receiver = expressReceiver({
      secrets: 's',
      onEvent: () => undefined,
      onError: (error) => void errors.push(error),
    })
    const server = await openServer(async (request, response) =>
      receiver(Object.assign(request, { body: await before(request) }), response),
    )
    onTestFinished(async () => server[Symbol.asyncDispose]())
    const headers = await signWebhook({ id: 'e1', body }, 's')
    const { status } = await fetch(server.url, { method: 'POST', headers, body })
    return { status, errors }
  }
  const text = async (request: NodeRequest): Promise<string> => {
    let read = ''
    for await (const chunk of request) read += String(chunk)
    return read
  }

  test('works behind express.raw() and express.text()', async () => {
    expect(await open(text)).toEqual({ status: 204, errors: [] })
    expect(await open(async (request) => Buffer.from(await text(request)))).toMatchObject({
      status: 204,
    })
  })

  test('names express.json() as the mistake', async () => {
    const { status, errors } = await open(
      async (request) => JSON.parse(await text(request)) as unknown,
    )
    expect(status).toBe(500)
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('express.json()') }),
    ])
  })
})
