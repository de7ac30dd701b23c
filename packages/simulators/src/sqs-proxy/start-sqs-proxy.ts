import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Counts, createSqsFaults, type SendAnswer, type SqsFaults } from './faults.ts'
import { type Forward, type Forwarded, forwarder } from './forward.ts'

export type SqsProxyOptions = {
  /** The SQS server behind it, such as `http://127.0.0.1:4566`. */
  readonly target: string
  /** A free port by default, on 127.0.0.1. */
  readonly port?: number | undefined
}

/** A way to an SQS server on which things go wrong, as they may with any queue. */
export type SqsProxy = {
  /** The endpoint to give to a client of SQS. */
  readonly url: string
  /** The next so many messages sent are answered as taken, and are lost. */
  drop(messages: number): void
  /** The next so many messages sent that are not lost are put in twice. */
  duplicate(messages: number): void
  /** Whether received messages come in reverse order. */
  reorder(on?: boolean): void
  /** The next so many requests are carried out, and their connections end without an answer. */
  loseAnswers(requests: number): void
  /** Ends every connection, also of those who wait for messages, and takes no more. */
  down(): Promise<void>
  /** Takes connections again, on the same port. */
  up(): Promise<void>
  /** How many messages were lost and doubled until now. */
  counts(): Counts
  stop(): Promise<void>
}

/**
 * Starts a proxy before an SQS server. It knows the JSON protocol, and does its mischief to
 * `SendMessageBatch` and `ReceiveMessage`; every other action passes.
 *
 * A signature is passed on as it came, though the body may differ: the server must not check it. A
 * server that does not see its client go may for a second give messages to one who has gone: they
 * come again when they become visible.
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
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const body = await text(request)
  const { url = '/', headers } = request
  const action = String(headers['x-amz-target']).replace('AmazonSQS.', '')
  const pass = (sent: string): Promise<Forwarded> => forward(url, headers, sent, gone.signal)
  const answer = await (action === 'SendMessageBatch'
    ? send(body, faults, pass)
    : action === 'ReceiveMessage'
      ? take(body, pass)
      : pass(body))
  if (faults.losesAnswer()) {
    response.destroy()
    return
  }
  const told = action === 'ReceiveMessage' ? faults.shuffle(answer.body) : answer.body
  const length = { 'content-length': Buffer.byteLength(told) }
  response.writeHead(answer.status, { ...answer.headers, ...length }).end(told)
}

async function send(
  body: string,
  faults: SqsFaults,
  pass: (sent: string) => Promise<Forwarded>,
): Promise<Forwarded> {
  const { requests, pretended } = faults.split(body)
  const [answer = nothingSent] = await Promise.all(requests.map(pass))
  if (pretended.length === 0 || answer.status !== 200) return answer
  const told = JSON.parse(answer.body) as SendAnswer
  const Successful = [...told.Successful, ...pretended]
  return { ...answer, body: JSON.stringify({ ...told, Successful }) }
}

/** Waits a second at a time, so that the server waits no longer for a client who has gone. */
async function take(body: string, pass: (sent: string) => Promise<Forwarded>): Promise<Forwarded> {
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
