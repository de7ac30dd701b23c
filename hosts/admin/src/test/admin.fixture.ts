import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { runCommand } from '../run-command.ts'

/** How a command ended, and what it wrote. */
export type Ended = { readonly code: number; readonly out: string; readonly error: string }

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly showsProgress?: boolean
  /** Answers a question, as a person at a terminal. */
  readonly ask?: (question: string) => Promise<string>
  /** Called in place of each pause. */
  readonly pause?: (ms: number) => Promise<void>
}

/** Runs a command line in this process. */
export async function admin(
  args: readonly string[],
  { env = {}, columns, ask, showsProgress = false, pause = async () => {} }: RunOptions = {},
): Promise<Ended> {
  let [out, error] = ['', '']
  const terminal = {
    out: (text: string) => void (out += text),
    error: (text: string) => void (error += text),
    columns,
    ...(ask && { ask }),
    showsProgress,
  }
  const code = await runCommand(args, { terminal, env, pause })
  return { code, out, error }
}

export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export type Answered = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A server that records requests and answers each with the next answer; the last one repeats. */
export async function apiServer(...answers: readonly Answered[]) {
  const received: Received[] = []
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      const { method = '', url = '', headers } = req
      received.push({ method, path: url, headers, body: body === '' ? undefined : JSON.parse(body) })
      const answer = answers[Math.min(received.length, answers.length) - 1]
      const payload = answer?.body === undefined ? '' : JSON.stringify(answer.body)
      res.writeHead(answer?.status ?? 500, { 'content-type': 'application/json', ...answer?.headers }).end(payload)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    env: { QUIPU_OPERATOR_URL: url, QUIPU_OPERATOR_TOKEN: 'the-token' },
    received,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
