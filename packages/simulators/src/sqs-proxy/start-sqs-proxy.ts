import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Counts, createSqsFaults, type SendAnswer, type SqsFaults } from './faults.ts'
import { type Forward, type Forwarded, forwarder } from './forward.ts'

/** The server behind the proxy, and where the proxy listens. */
export type SqsProxyOptions = {
  /** The SQS server behind it, such as `http://127.0.0.1:4566`. */
  readonly target: string
  /** A free port by default, on 127.0.0.1. */
  readonly port?: number | undefined
}

/** A proxy in front of an SQS server, with faults. */
export type SqsProxy = {
  /** Endpoint for SQS clients. */
  readonly url: string
  /** Loses the next messages sent, answering success. */
  drop(messages: number): void
  /** Sends the next messages that are not lost twice. */
  duplicate(messages: number): void
  /** Whether received messages are in reverse order. */
  reorder(on?: boolean): void
  /** Forwards the next requests, and closes their connections without an answer. */
  loseAnswers(requests: number): void
  /** Closes all connections, also of long polls, and refuses new ones. */
  down(): Promise<void>
  /** Accepts connections again on the same port. */
  up(): Promise<void>
  /** Number of messages lost and duplicated so far. */
  counts(): Counts
  stop(): Promise<void>
}

/**
 * Starts a proxy in front of an SQS server with the JSON protocol. Faults of messages apply to `SendMessageBatch` and
 * `ReceiveMessage`; other actions are forwarded.
 *
 * Signatures are forwarded unchanged although the body may differ, so the server must not check them. After a client
 * disconnects, the server may answer its poll for up to a second; those messages become visible again later.
 */
export async function startSqsProxy({ target, port = 0 }: SqsProxyOptions): Promise<SqsProxy> {
  const faults = createSqsFaults()
  const { forward, stop } = forwarder(target)
  const server = createServer((request, response) => {
    serve(request, response, faults, forward).catch(() => response.destroy())
  })
  let bound = port
  const up = async (): Promise<void> => {
    if (server.listening) return
    server.listen(bound, '127.0.0.1')
    await once(server, 'listening')
    bound = (server.address() as AddressInfo).port
  }
  const down = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await up()
  return {
    url: `http://127.0.0.1:${bound}`,
    drop: faults.drop,
    duplicate: faults.duplicate,
    reorder: (on = true) => faults.reorder(on),
    loseAnswers: faults.loseAnswers,
    counts: faults.counts,
    down,
    up,
    async stop() {
      await down()
      stop()
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  faults: SqsFaults,
  forward: Forward,
): Promise<void> {
  const disconnected = new AbortController()
  response.on('close', () => disconnected.abort())
  const body = await text(request)
  const { url = '/', headers } = request
  const action = String(headers['x-amz-target']).replace('AmazonSQS.', '')
  const pass = (sent: string): Promise<Forwarded> => forward(url, headers, sent, disconnected.signal)
  const answer = await (action === 'SendMessageBatch'
    ? send(body, faults, pass)
    : action === 'ReceiveMessage'
      ? receive(body, pass)
      : pass(body))
  if (faults.takeLostAnswer()) {
    response.destroy()
    return
  }
  const changed = action === 'ReceiveMessage' ? faults.reverse(answer.body) : answer.body
  const length = { 'content-length': Buffer.byteLength(changed) }
  response.writeHead(answer.status, { ...answer.headers, ...length }).end(changed)
}

async function send(body: string, faults: SqsFaults, pass: (sent: string) => Promise<Forwarded>): Promise<Forwarded> {
  const { requests, falseResults } = faults.split(body)
  const [answer = nothingSent] = await Promise.all(requests.map(pass))
  if (falseResults.length === 0 || answer.status !== 200) return answer
  const result = JSON.parse(answer.body) as SendAnswer
  const Successful = [...result.Successful, ...falseResults]
  return { ...answer, body: JSON.stringify({ ...result, Successful }) }
}

/** Polls for one second at a time, so that the server notices a disconnected client. */
async function receive(body: string, pass: (sent: string) => Promise<Forwarded>): Promise<Forwarded> {
  const request = JSON.parse(body) as { readonly WaitTimeSeconds?: number }
  const { WaitTimeSeconds: seconds = 0 } = request
  if (seconds <= 1) return pass(body)
  for (let left = seconds; ; left--) {
    const answer = await pass(JSON.stringify({ ...request, WaitTimeSeconds: 1 }))
    if (left <= 1 || answer.status !== 200 || hasMessages(answer)) return answer
  }
}

const hasMessages = ({ body }: Forwarded): boolean =>
  ((JSON.parse(body) as { readonly Messages?: readonly unknown[] }).Messages ?? []).length > 0

const nothingSent: Forwarded = {
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ Successful: [], Failed: [] }),
}
