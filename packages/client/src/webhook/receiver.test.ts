import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openServer } from '../http-server.fixture.ts'
import { expressReceiver, type NodeRequest } from './express.ts'
import { fastifyReceiver } from './fastify.ts'
import { fetchReceiver } from './fetch.ts'
import {
  memoryReplayStore,
  type ReceiverOptions,
  type ReplayStore,
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

const posting =
  (url: string): Deliver =>
  async (headers, text) =>
    received(await fetch(url, { method: 'POST', headers, body: text }))

async function overNode(options: ReceiverOptions): Promise<Deliver> {
  const receiver = expressReceiver(options)
  const server = await openServer(async (request, response) => receiver(request, response))
  onTestFinished(async () => server[Symbol.asyncDispose]())
  return posting(server.url)
}

async function overExpress(options: ReceiverOptions): Promise<Deliver> {
  const app = express().post('/quipu', expressReceiver(options)).use(express.json())
  const server = await openServer((request, response) => void app(request, response))
  onTestFinished(async () => server[Symbol.asyncDispose]())
  return posting(`${server.url}/quipu`)
}

async function overFastify(options: ReceiverOptions): Promise<Deliver> {
  const app = fastify()
  await app.register(fastifyReceiver({ path: '/quipu', ...options }))
  app.post('/json', async ({ body: parsed }) => parsed)
  onTestFinished(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  // The scope of the receiver leaves the bodies of other routes parsed.
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
  expect(await (await fetch(`${url}/json`, sent)).json()).toEqual({ a: 1 })
  return posting(`${url}/quipu`)
}

async function overFetch(options: ReceiverOptions): Promise<Deliver> {
  const receiver = fetchReceiver(options)
  return async (headers, text) => {
    const request = new Request('https://a.example/quipu', { method: 'POST', headers, body: text })
    return received(await receiver(request))
  }
}

async function overHono(options: ReceiverOptions): Promise<Deliver> {
  const receive = fetchReceiver(options)
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    context.header('x-served-by', 'hono')
  })
  app.post('/quipu', (context) => receive(context.req.raw))
  return async (headers, text) => {
    const sent = new Request('https://a.example/quipu', { method: 'POST', headers, body: text })
    const response = await app.fetch(sent)
    expect(response.headers.get('x-served-by')).toBe('hono')
    return received(response)
  }
}

test.each<[string, unknown]>([
  ['no secret', []],
  ['a secret that is not set', undefined],
  ['an empty secret', ''],
  ['a list with an empty element', 'whsec_new,'.split(',')],
  ['a list with null', ['whsec_new', null]],
])('no receiver is made with %s', (_, given) => {
  const options = { secrets: given as string[], onEvent: () => undefined }
  expect(() => expressReceiver(options)).toThrow(TypeError)
  expect(() => fetchReceiver(options)).toThrow(TypeError)
  expect(() => fastifyReceiver({ ...options, path: '/quipu' })).toThrow(TypeError)
  // Fastify calls what is registered with its instance.
  expect(() => fastifyReceiver(fastify() as never)).toThrow('app.register(fastifyReceiver({ path')
})

describe.each([
  ['expressReceiver in Express', overExpress],
  ['expressReceiver in the server of Node', overNode],
  ['fastifyReceiver', overFastify],
  ['fetchReceiver', overFetch],
  ['fetchReceiver in Hono', overHono],
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
    expect(await send(secret, text, at)).toEqual({ status: 400, text: expect.stringContaining(`(${reason})`) })
    expect(events).toEqual([])
    expect(errors).toEqual([expect.any(WebhookVerificationError)])
  })

  test('answers 400 without a signature, and without a body', async () => {
    const { deliver, events } = await setup()
    expect(await deliver({}, body)).toEqual({
      status: 400,
      text: expect.stringContaining('no header X-Service-Signature'),
    })
    expect((await deliver({}, '')).status).toBe(400)
    expect(events).toEqual([])
  })

  test('answers 500 without the reason when onEvent throws', async () => {
    const failure = new Error('database password is wrong')
    const { send, errors } = await setup({ onEvent: () => Promise.reject(failure) })
    expect(await send()).toEqual({ status: 500, text: 'The event was not handled' })
    expect(errors).toEqual([failure])
  })

  test('handles an event once, however often it arrives', async () => {
    const { send, events } = await setup({ store: memoryReplayStore() })
    expect([await send(), await send()]).toMatchObject([{ status: 204 }, { status: 204 }])
    expect(events).toHaveLength(1)
  })

  test('applies its own tolerance and prefix', async () => {
    const { send } = await setup({ toleranceSeconds: 1_000, headerPrefix: 'X-Service-' })
    expect((await send('whsec_old', body, new Date(Date.now() - 900_000))).status).toBe(204)
  })
})

describe('with a store', () => {
  const setup = (options: Partial<ReceiverOptions>) => {
    const events: string[] = []
    const receiver = fetchReceiver({
      secrets: 's',
      onEvent: ({ id }) => void events.push(id),
      onError: () => undefined,
      ...options,
    })
    const send = async (id = 'e1', secret = 's'): Promise<number> => {
      const text = JSON.stringify({ ...event, id })
      const headers = await signWebhook({ id, body: text }, secret)
      const init = { method: 'POST', headers, body: text }
      return (await receiver(new Request('https://a.example', init))).status
    }
    return { events, send }
  }

  test('an event that is being handled is answered 409, so that it is sent again', async () => {
    const started = Promise.withResolvers<void>()
    const work = Promise.withResolvers<void>()
    const onEvent = async (): Promise<void> => (started.resolve(), work.promise)
    const { send } = setup({ store: memoryReplayStore(), onEvent })
    const first = send()
    await started.promise
    expect(await send()).toBe(409)
    work.resolve()
    expect([await first, await send()]).toEqual([204, 204])
  })

  test('an event whose handling failed is handled when it is sent again', async () => {
    let handlings = 0
    const onEvent = async (): Promise<void> => {
      handlings += 1
      if (handlings !== 2) throw new Error('not now')
    }
    const { send } = setup({ store: memoryReplayStore(), onEvent })
    expect([await send(), await send(), await send()]).toEqual([500, 204, 204])
  })

  test('the id of an event that is not verified is never claimed', async () => {
    const claimed: string[] = []
    const claim: ReplayStore['claim'] = async (id) => (claimed.push(id), 'claimed')
    const { send } = setup({ store: { ...memoryReplayStore(), claim } })
    expect(await send('e1', 'foreign')).toBe(400)
    expect(claimed).toEqual([])
  })

  test('a store that does not answer lets the event be sent again', async () => {
    const down = (): Promise<never> => Promise.reject(new Error('no connection'))
    for (const failing of [{ claim: down }, { complete: down }]) {
      const { send } = setup({ store: { ...memoryReplayStore(), ...failing } })
      expect(await send()).toBe(500)
    }
  })

  test('the one in memory drops its oldest events first', async () => {
    const { send, events } = setup({ store: memoryReplayStore({ max: 2 }) })
    for (const id of ['a', 'b', 'c', 'c', 'b', 'a']) await send(id)
    expect(events).toEqual(['a', 'b', 'c', 'a'])
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
  const receiver = fetchReceiver({ secrets: 's', onEvent: () => undefined, onError: () => undefined })
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
    expect(await open(async (request) => Buffer.from(await text(request)))).toMatchObject({ status: 204 })
  })

  test('names express.json() as the mistake', async () => {
    const { status, errors } = await open(async (request) => JSON.parse(await text(request)) as unknown)
    expect(status).toBe(500)
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('express.json()') })])
  })
})
