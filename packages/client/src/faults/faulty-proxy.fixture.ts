import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type LocalServer, openServer } from '../http-server.fixture.ts'

/** What becomes of one request on its way. */
export type Fault =
  | 'none'
  | 'request dropped' // The connection is closed, nothing arrived.
  | 'request overtaken' // The connection is closed, and it arrives after the one that follows.
  | 'connection reset' // It arrived, and the connection is reset.
  | 'answer dropped' // It arrived, and the connection is closed.
  | 'answer cut' // It arrived, and half of the answer comes back.
  | 'answer slow' // Request and answer take their time.
  | 'answer held' // It arrived, and no answer comes until the caller has left.
  | 'answer is junk' // It arrived, and somebody else's page comes back with 200.
  | 'answer is 502' // It arrived, and a proxy's own page comes back.
  | 'turned away with 429'
  | 'turned away with 503'

export const faults: readonly Exclude<Fault, 'none'>[] = [
  'request dropped',
  'request overtaken',
  'connection reset',
  'answer dropped',
  'answer cut',
  'answer slow',
  'answer held',
  'answer is junk',
  'answer is 502',
  'turned away with 429',
  'turned away with 503',
]

export type FaultyProxy = LocalServer & {
  /** The faults of the next requests, in turn; afterwards there are none. */
  plan(...faults: readonly Fault[]): void
  /** `POST /v1/payouts` and the like, in order, those too that did not arrive. */
  readonly requests: readonly string[]
  /** Lets arrive what was overtaken and has not arrived yet. */
  settled(): Promise<void>
}

const slowMs = 40

/** Stands between a client and an API. */
export async function openFaultyProxy(baseUrl: string): Promise<FaultyProxy> {
  let planned: Fault[] = []
  const requests: string[] = []
  const underway: (() => Promise<unknown>)[] = []
  let arrived: Promise<unknown> = Promise.resolve()
  const server = await openServer(async (request, response) => {
    const body = await buffer(request)
    requests.push(`${request.method} ${request.url}`)
    const fault = planned.shift() ?? 'none'
    const pass = (): Promise<Passed> => passOn(baseUrl, request, body)
    const overtaken = underway.splice(0)
    if (fault === 'request overtaken') underway.push(pass)
    await suffer(fault, response, pass)
    arrived = Promise.all([arrived, ...overtaken.map((arrive) => arrive())])
  })
  return {
    ...server,
    requests,
    async settled() {
      await Promise.all([arrived, ...underway.splice(0).map((arrive) => arrive())])
    },
    plan(...faults) {
      planned = [...faults]
    },
  }
}

type Passed = { readonly status: number; readonly headers: Headers; readonly body: Buffer }

async function passOn(baseUrl: string, request: IncomingMessage, body: Buffer): Promise<Passed> {
  const { method = 'GET', url = '/', headers } = request
  const kept = Object.entries(headers).filter(
    ([name]) => !['host', 'connection', 'content-length', 'accept-encoding'].includes(name),
  ) as [string, string][]
  const init = { method, headers: kept, ...(body.length > 0 && { body }) }
  const answer = await fetch(baseUrl + url, init)
  return {
    status: answer.status,
    headers: answer.headers,
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

async function suffer(
  fault: Fault,
  response: ServerResponse,
  passed: () => Promise<Passed>,
): Promise<void> {
  switch (fault) {
    case 'none':
      return answer(response, await passed())
    case 'request dropped':
    case 'request overtaken':
      return void response.destroy()
    case 'connection reset':
      await passed()
      return void response.socket?.resetAndDestroy()
    case 'answer dropped':
      await passed()
      return void response.destroy()
    case 'answer cut': {
      const { status, headers, body } = await passed()
      const half = body.subarray(0, body.length / 2)
      response.writeHead(status, {
        'content-type': headers.get('content-type') ?? '',
        'content-length': body.length,
      })
      await new Promise((sent) => response.write(half, sent))
      return void response.destroy()
    }
    case 'answer slow': {
      await pause(slowMs)
      const slow = await passed()
      await pause(slowMs)
      return answer(response, slow)
    }
    case 'answer held':
      await Promise.all([passed(), once(response, 'close')])
      return
    case 'answer is junk':
      await passed()
      return answer(response, page(200))
    case 'answer is 502':
      await passed()
      return answer(response, page(502))
    case 'turned away with 429':
      return answer(response, refusal(429, 'RATE_LIMITED'))
    case 'turned away with 503':
      return answer(response, refusal(503, 'OPERATION_UNCERTAIN'))
  }
}

function answer(response: ServerResponse, { status, headers, body }: Passed): void {
  const kept = [...headers].filter(([name]) => /^(?:content-type|retry-after|x-)/.test(name))
  response.writeHead(status, Object.fromEntries(kept)).end(status === 204 ? undefined : body)
}

const page = (status: number): Passed => ({
  status,
  headers: new Headers({ 'content-type': 'text/html' }),
  body: Buffer.from('<html>Have you paid for this network?</html>'),
})

const refusal = (status: number, code: string): Passed => ({
  status,
  headers: new Headers({
    'content-type': 'application/json',
    ...(status === 429 && { 'retry-after': '0' }),
  }),
  body: Buffer.from(JSON.stringify({ error: { code, message: 'Not now.', request_id: 'req_1' } })),
})
