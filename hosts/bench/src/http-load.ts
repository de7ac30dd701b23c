import { connect, type Socket } from 'node:net'

export type Load = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The next request's bytes; undefined ends the connection's part. */
  readonly next: () => Buffer | undefined
}

export type LoadFigures = {
  readonly completed: number
  readonly errors: number
  readonly elapsedSeconds: number
  readonly latenciesMs: readonly number[]
}

/**
 * Sends requests over kept-alive connections, one at a time on each, as fast as they are answered.
 *
 * Speaks just enough HTTP/1.1 for the API's own answers, because the load comes from the machine
 * that is measured: what it costs is missing there.
 */
export async function loadHttp({ port, connections, seconds, next }: Load): Promise<LoadFigures> {
  const latenciesMs: number[] = []
  const wrong = new Map<string, number>()
  const start = performance.now()
  const until = start + seconds * 1000

  const converse = async (socket: Socket): Promise<void> => {
    const answers = answersOf(socket)
    while (performance.now() < until) {
      const request = next()
      if (!request) break
      const sentAt = performance.now()
      socket.write(request)
      const { value: answer } = await answers.next()
      if (answer === undefined) throw new Error('the connection was closed')
      latenciesMs.push(performance.now() - sentAt)
      const isCompleted =
        answer.startsWith('HTTP/1.1 201') && answer.includes('"status":"completed"')
      if (!isCompleted) {
        latenciesMs.pop()
        wrong.set(answer, (wrong.get(answer) ?? 0) + 1)
      }
    }
    socket.end()
  }
  const sockets = Array.from({ length: connections }, () =>
    connect({ port, host: '127.0.0.1', noDelay: true }),
  )
  await Promise.all(sockets.map(converse))
  const [first] = wrong.keys()
  if (first) process.stderr.write(`an answer that was not completed:\n${first}\n`)
  return {
    completed: latenciesMs.length,
    errors: [...wrong.values()].reduce((sum, count) => sum + count, 0),
    elapsedSeconds: (performance.now() - start) / 1000,
    latenciesMs,
  }
}

/** Splits the stream into answers by their `Content-Length`. */
async function* answersOf(socket: Socket): AsyncGenerator<string, undefined> {
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    for (;;) {
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) break
      const [, length] = /content-length: (\d+)/i.exec(text.slice(0, head)) ?? []
      if (length === undefined) throw new Error(`an answer without a length:\n${text}`)
      const end = head + 4 + Number(length)
      if (text.length < end) break
      yield text.slice(0, end)
      text = text.slice(end)
    }
  }
  return undefined
}
