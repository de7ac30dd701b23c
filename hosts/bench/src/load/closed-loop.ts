import { connect } from 'node:net'

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
 * Speaks just enough HTTP/1.1 for the API's own answers, and reads past the streams: the load comes
 * from the machine that is measured, and what it costs is missing there.
 */
export async function loadHttp({ port, connections, seconds, next }: Load): Promise<LoadFigures> {
  const latenciesMs: number[] = []
  const wrong = new Map<string, number>()
  const start = performance.now()
  const until = start + seconds * 1000

  const converse = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0
      const ask = (): void => {
        sentAt = performance.now()
        const request = sentAt < until ? next() : undefined
        if (request) socket.write(request)
        else socket.end(resolve)
      }
      const onAnswer = (answer: string): void => {
        if (isCompleted(answer)) latenciesMs.push(performance.now() - sentAt)
        else wrong.set(answer, (wrong.get(answer) ?? 0) + 1)
        ask()
      }
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: reader(onAnswer) })
      socket.on('error', reject)
      socket.on('end', () => reject(new Error('the connection was closed')))
      ask()
    })
  await Promise.all(Array.from({ length: connections }, converse))
  const [first] = wrong.keys()
  if (first) process.stderr.write(`an answer that was not completed:\n${first}\n`)
  return {
    completed: latenciesMs.length,
    errors: [...wrong.values()].reduce((sum, count) => sum + count, 0),
    elapsedSeconds: (performance.now() - start) / 1000,
    latenciesMs,
  }
}

const isCompleted = (answer: string): boolean =>
  answer.startsWith('HTTP/1.1 201') && answer.includes('"status":"completed"')

/** Hands over each answer when all of it is there. No other follows it before the next request. */
function reader(onAnswer: (answer: string) => void) {
  const buffer = Buffer.allocUnsafe(16_384)
  let text = ''
  return {
    buffer,
    callback: (size: number): boolean => {
      text += buffer.toString('latin1', 0, size)
      if (text.length >= lengthOf(text)) {
        const answer = text
        text = ''
        onAnswer(answer)
      }
      return true
    },
  }
}

/** How long an answer is by its own account; endless until its head is complete. */
function lengthOf(text: string): number {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return Infinity
  const [, length] = /content-length: (\d+)/i.exec(text) ?? []
  if (length === undefined) throw new Error(`an answer without a length:\n${text}`)
  return head + 4 + Number(length)
}
