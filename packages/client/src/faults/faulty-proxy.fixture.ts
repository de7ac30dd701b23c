import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type LocalServer, openServer } from '../http-server.fixture.ts'

/** The fault of one request. */
export type Fault =
  | 'none'
  | 'request dropped' // The connection is closed; the API receives nothing.
  | 'request overtaken' // The connection is closed; the API receives the request after the next one.
  | 'request duplicated' // The API receives the request twice at once; the later answer is sent.
  | 'connection reset' // The API receives the request; the connection is reset.
  | 'answer dropped' // The API receives the request; the connection is closed.
  | 'answer cut' // The API receives the request; half of the answer is sent.
  | 'answer slow' // Request and answer are delayed.
  | 'answer held' // The API receives the request; the answer is not sent.
  | 'answer is junk' // The API receives the request; a proxy's page is sent with 200.
  | 'answer is 502' // The API receives the request; a proxy's page is sent with 502.
  | 'refused with 429'
  | 'refused with 503'

export const faults: readonly Exclude<Fault, 'none'>[] = [
  'request dropped',
  'request overtaken',
  'request duplicated',
  'connection reset',
  'answer dropped',
  'answer cut',
  'answer slow',
  'answer held',
  'answer is junk',
  'answer is 502',
  'refused with 429',
  'refused with 503',
]

export type FaultyProxy = LocalServer & {
  /** Sets the faults of the next requests, in turn. Later requests have none. */
  plan(...faults: readonly Fault[]): void
  /** Every request in order, as `POST /v1/payouts`, also those that did not reach the API. */
  readonly requests: readonly string[]
  /** Sends the overtaken requests that have not been sent yet. */
  settled(): Promise<void>
}

const slowMs = 40

/** Opens a proxy between a client and an API. */
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
    await applyFault(fault, response, pass)
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
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}

async function applyFault(fault: Fault, response: ServerResponse, passed: () => Promise<Passed>): Promise<void> {
  switch (fault) {
    case 'none':
      return answer(response, await passed())
    case 'request dropped':
    case 'request overtaken':
      return void response.destroy()
    case 'request duplicated': {
      const [, later] = await Promise.all([passed(), passed()])
      return answer(response, later)
    }
    case 'connection reset':
      await passed()
      return void response.socket?.resetAndDestroy()
    case 'answer dropped':
      await passed()
      return void response.destroy()
    case 'answer cut': {
      const { status, headers, body } = await passed()
      const half = body.subarray(0, body.length / 2)
      response.writeHead(status, { 'content-type': headers.get('content-type') ?? '', 'content-length': body.length })
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
    case 'refused with 429':
      return answer(response, refusal(429, 'RATE_LIMITED'))
    case 'refused with 503':
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
  headers: new Headers({ 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '0' }) }),
  body: Buffer.from(JSON.stringify({ error: { code, message: 'Not now.', request_id: 'req_1' } })),
})
