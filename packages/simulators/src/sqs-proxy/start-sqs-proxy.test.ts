import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type SqsProxy, startSqsProxy } from './start-sqs-proxy.ts'

type Entry = { readonly Id: string; readonly MessageBody: string }
type Json = Record<string, unknown>

/** A server with one queue, which can delay its answers. */
type Queue = { readonly server: Server; messages: string[]; readonly waits: unknown[]; held: Set<ServerResponse> }

const md5 = (body: string): string => createHash('md5').update(body).digest('hex')

function answerOf(queue: Queue, action: string, request: Json): Json | 'held' {
  if (action === 'Hang') return 'held'
  if (action === 'ReceiveMessage') {
    queue.waits.push(request['WaitTimeSeconds'])
    return { Messages: queue.messages.map((Body) => ({ Body })) }
  }
  if (action !== 'SendMessageBatch') return { action, request }
  const entries = request['Entries'] as readonly Entry[]
  queue.messages.push(...entries.map(({ MessageBody }) => MessageBody))
  return { Successful: entries.map(({ Id, MessageBody }) => ({ Id, MD5OfMessageBody: md5(MessageBody) })), Failed: [] }
}

type Harness = { readonly queue: Queue; readonly proxy: SqsProxy }

async function start(): Promise<Harness> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const action = String(request.headers['x-amz-target']).replace('AmazonSQS.', '')
      const answer = answerOf(queue, action, JSON.parse(body) as Json)
      if (answer === 'held') hold(response)
      else response.setHeader('x-amzn-requestid', 'r-1').end(JSON.stringify(answer))
    })
  })
  const queue: Queue = { server, messages: [], waits: [], held: new Set() }
  const hold = (response: ServerResponse): void => {
    queue.held.add(response)
    response.on('close', () => void queue.held.delete(response))
    server.emit('held')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy = await startSqsProxy({ target: `http://127.0.0.1:${port}` })
  onTestFinished(async () => {
    await proxy.stop()
    server.close()
    server.closeAllConnections()
  })
  return { queue, proxy }
}

async function ask({ proxy }: Harness, action: string, request: Json): Promise<Json> {
  const response = await fetch(proxy.url, {
    method: 'POST',
    headers: { 'x-amz-target': `AmazonSQS.${action}` },
    body: JSON.stringify(request),
  })
  expect(response.headers.get('x-amzn-requestid') ?? 'r-1').toBe('r-1')
  return (await response.json()) as Json
}

const entries = (...bodies: readonly string[]): Json => ({
  QueueUrl: 'q',
  Entries: bodies.map((MessageBody, i) => ({ Id: String(i), MessageBody })),
})

const send = (harness: Harness, ...bodies: readonly string[]): Promise<Json> =>
  ask(harness, 'SendMessageBatch', entries(...bodies))

const digests = (answer: Json): readonly (readonly [string, string])[] =>
  (answer['Successful'] as readonly { Id: string; MD5OfMessageBody: string }[])
    .map(({ Id, MD5OfMessageBody }) => [Id, MD5OfMessageBody] as const)
    .toSorted(([a], [b]) => Number(a) - Number(b))

const received = async (harness: Harness): Promise<unknown> =>
  ((await ask(harness, 'ReceiveMessage', {}))['Messages'] as readonly Json[]).map((message) => message['Body'])

test('without faults requests and answers are forwarded unchanged', async () => {
  const harness = await start()
  expect(await send(harness, 'añb', 'b')).toEqual({
    Successful: [
      { Id: '0', MD5OfMessageBody: md5('añb') },
      { Id: '1', MD5OfMessageBody: md5('b') },
    ],
    Failed: [],
  })
  expect(await received(harness)).toEqual(['añb', 'b'])
  const request = { QueueUrl: 'q', Entries: [1] }
  const answer = await ask(harness, 'DeleteMessageBatch', request)
  expect(answer).toEqual({ action: 'DeleteMessageBatch', request })
  expect(harness.proxy.counts()).toEqual({ dropped: 0, duplicated: 0 })
})

test('dropped messages are answered as successful, and later ones arrive', async () => {
  const harness = await start()
  harness.proxy.drop(3)
  for (const bodies of [['a', 'b'], ['c', 'd'], ['e']])
    expect(digests(await send(harness, ...bodies))).toEqual(bodies.map((body, i) => [String(i), md5(body)]))
  expect(harness.queue.messages).toEqual(['d', 'e'])
  expect(harness.proxy.counts()).toEqual({ dropped: 3, duplicated: 0 })
})

test('duplicated messages arrive twice and are answered once', async () => {
  const harness = await start()
  harness.proxy.duplicate(1)
  const answer = await send(harness, 'a', 'b')
  expect(digests(answer)).toEqual([
    ['0', md5('a')],
    ['1', md5('b')],
  ])
  await send(harness, 'c')
  expect(harness.queue.messages.toSorted()).toEqual(['a', 'a', 'b', 'c'])
  expect(harness.proxy.counts()).toEqual({ dropped: 0, duplicated: 1 })
})

test('a request whose answer is lost takes effect', async () => {
  const harness = await start()
  harness.proxy.loseAnswers(1)
  await expect(send(harness, 'a')).rejects.toThrow('fetch failed')
  expect(harness.queue.messages).toEqual(['a'])
  await send(harness, 'b')
  expect(harness.queue.messages).toEqual(['a', 'b'])
})

test('down closes long polls at proxy and server, and refuses connections until up', async () => {
  const harness = await start()
  const { proxy, queue } = harness
  const fall = async (): Promise<void> => {
    await once(queue.server, 'held')
    const [response] = queue.held
    await Promise.all([once(response!, 'close'), proxy.down()])
  }
  await Promise.all([expect(ask(harness, 'Hang', {})).rejects.toThrow('fetch failed'), fall()])
  await proxy.down()
  await expect(send(harness, 'a')).rejects.toThrow('fetch failed')
  await proxy.up()
  await proxy.up()
  await send(harness, 'b')
  expect(queue.messages).toEqual(['b'])
})

test('a long poll is split into short ones until there are messages', async () => {
  const harness = await start()
  const waits = (): readonly unknown[] => harness.queue.waits.splice(0)
  await ask(harness, 'ReceiveMessage', { WaitTimeSeconds: 3 })
  expect(waits()).toEqual([1, 1, 1])
  await ask(harness, 'ReceiveMessage', { WaitTimeSeconds: 0 })
  expect(waits()).toEqual([0])
  await send(harness, 'a')
  await ask(harness, 'ReceiveMessage', { WaitTimeSeconds: 3 })
  expect(waits()).toEqual([1])
})
