import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { onTestFinished } from 'vitest'

const root = new URL('../../../../', import.meta.url)

/** The example server as `npx -y pnpm@12 example` runs it. */
export type ExampleProcess = {
  readonly url: string
  /** From the start of the process to its first answer. */
  readonly startedMs: number
  /** Sends SIGINT. @returns the exit code */
  stop(): Promise<number | null>
}

export async function startProcess(env: Record<string, string> = {}): Promise<ExampleProcess> {
  const startedAt = performance.now()
  const child = runExample({ PORT: '0', LOG_LEVEL: 'warn', ...env })
  const url = await announced(child)
  const response = await fetch(`${url}/readyz`)
  if (!response.ok) throw new Error(`not ready: ${response.status}`)
  return {
    url,
    startedMs: performance.now() - startedAt,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

/** Runs the `example` script with only PATH of the environment, at most until the test ends. */
export function runExample(env: Record<string, string>): ChildProcess {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    scripts: { example: string }
  }
  const [, ...args] = scripts.example.split(' ')
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, args, { cwd: root, env: { PATH, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function announced(child: ChildProcess): Promise<string> {
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    const [url] = /http:\S+/.exec(output) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`the process ended before it listened:\n${output}`)
}

/** Runs a function for `count` keys, 16 concurrently, on keep-alive connections. */
export async function forEachKey(
  url: string,
  count: number,
  act: (ask: (method: string, path: string, body?: unknown) => Promise<AnyJson>) => Promise<void>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const key = `qpu_mock_${next++}`
      await act((method, path, body) => askJson(agent, url + path, { method, key, body }))
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  agent.destroy()
}

type AnyJson = ReturnType<typeof JSON.parse>

async function askJson(
  agent: Agent,
  url: string,
  { method, key, body }: { method: string; key: string; body: unknown },
): Promise<AnyJson> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  const asked = request(url, { agent, method, headers })
  asked.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [AsyncIterable<Buffer>]
  let text = ''
  for await (const chunk of answer) text += chunk.toString()
  return JSON.parse(text)
}
