import { connect } from 'node:net'

/** The bytes of a request, made of the response before it; empty for the first of a unit. */
export type Request = (previous: string) => Buffer

export type ClosedLoop = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The requests of the next unit of work, one after the other; undefined closes the connection. */
  readonly next: () => readonly Request[] | undefined
  /** How long a connection waits before each unit, in ms. */
  readonly pauseMs?: () => number
}

export type ClosedLoopResult = {
  readonly completed: number
  readonly errors: number
  readonly elapsedSeconds: number
  readonly latenciesMs: readonly number[]
}

/**
 * Sends requests over kept-alive connections, one in flight on each: the next one follows its response. A unit is
 * completed when its last response is a completed payout; its latency is that of all its requests.
 *
 * Parses just enough HTTP/1.1 for the API's responses, and reads into one buffer: the load runs on the
 * measured machine, and its CPU time is lost to the service.
 */
export async function runClosedLoop(loop: ClosedLoop): Promise<ClosedLoopResult> {
  const { port, connections, seconds, next, pauseMs } = loop
  const latenciesMs: number[] = []
  const unexpected = new Map<string, number>()
  const loopStart = performance.now()
  const until = loopStart + seconds * 1000

  const runConnection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let startedAt = 0
      let unit: Request[] = []
      const send = (previous: string): void => {
        const request = unit.shift()
        if (request) socket.write(request(previous))
        else if (pauseMs) setTimeout(startUnit, pauseMs())
        else startUnit()
      }
      const startUnit = (): void => {
        startedAt = performance.now()
        const requests = startedAt < until ? next() : undefined
        unit = [...(requests ?? [])]
        if (requests) send('')
        else socket.end(resolve)
      }
      const onResponse = (response: string): void => {
        if (!response.startsWith('HTTP/1.1 201') || (unit.length === 0 && !isCompleted(response))) {
          unexpected.set(response, (unexpected.get(response) ?? 0) + 1)
          unit = []
        } else if (unit.length === 0) latenciesMs.push(performance.now() - startedAt)
        send(response)
      }
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: reader(onResponse) })
      socket.on('error', reject)
      socket.on('end', () => reject(new Error('the API closed the connection')))
      send('')
    })
  await Promise.all(Array.from({ length: connections }, runConnection))
  const [first] = unexpected.keys()
  if (first) process.stderr.write(`unexpected response:\n${first}\n`)
  return {
    completed: latenciesMs.length,
    errors: [...unexpected.values()].reduce((sum, count) => sum + count, 0),
    elapsedSeconds: (performance.now() - loopStart) / 1000,
    latenciesMs,
  }
}

const isCompleted = (response: string): boolean => response.includes('"status":"completed"')

/** Passes on each complete response. The next one begins after the next request. */
function reader(onResponse: (response: string) => void) {
  const buffer = Buffer.allocUnsafe(16_384)
  let text = ''
  return {
    buffer,
    callback: (size: number): boolean => {
      text += buffer.toString('latin1', 0, size)
      if (text.length >= lengthOf(text)) {
        const response = text
        text = ''
        onResponse(response)
      }
      return true
    },
  }
}

/** The length of a response by its headers; Infinity until they are complete. */
function lengthOf(text: string): number {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return Infinity
  const [, length] = /content-length: (\d+)/i.exec(text) ?? []
  if (length === undefined) throw new Error(`response without Content-Length:\n${text}`)
  return head + 4 + Number(length)
}
