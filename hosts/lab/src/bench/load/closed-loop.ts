import { connect } from 'node:net'

export type ClosedLoop = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The bytes of the next request; undefined closes the connection. */
  readonly next: () => Buffer | undefined
}

export type ClosedLoopResult = {
  readonly completed: number
  readonly errors: number
  readonly elapsedSeconds: number
  readonly latenciesMs: readonly number[]
}

/**
 * Sends requests over kept-alive connections, one in flight on each: the next one follows its response.
 *
 * Parses just enough HTTP/1.1 for the API's responses, and reads into one buffer: the load runs on the
 * measured machine, and its CPU time is lost to the service.
 */
export async function runClosedLoop({ port, connections, seconds, next }: ClosedLoop): Promise<ClosedLoopResult> {
  const latenciesMs: number[] = []
  const unexpected = new Map<string, number>()
  const start = performance.now()
  const until = start + seconds * 1000

  const runConnection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0
      const send = (): void => {
        sentAt = performance.now()
        const request = sentAt < until ? next() : undefined
        if (request) socket.write(request)
        else socket.end(resolve)
      }
      const onResponse = (response: string): void => {
        if (isCompleted(response)) latenciesMs.push(performance.now() - sentAt)
        else unexpected.set(response, (unexpected.get(response) ?? 0) + 1)
        send()
      }
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: reader(onResponse) })
      socket.on('error', reject)
      socket.on('end', () => reject(new Error('the API closed the connection')))
      send()
    })
  await Promise.all(Array.from({ length: connections }, runConnection))
  const [first] = unexpected.keys()
  if (first) process.stderr.write(`unexpected response:\n${first}\n`)
  return {
    completed: latenciesMs.length,
    errors: [...unexpected.values()].reduce((sum, count) => sum + count, 0),
    elapsedSeconds: (performance.now() - start) / 1000,
    latenciesMs,
  }
}

const isCompleted = (response: string): boolean =>
  response.startsWith('HTTP/1.1 201') && response.includes('"status":"completed"')

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
