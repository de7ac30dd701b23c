import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'

const root = new URL('../../../../', import.meta.url)

/** The example server as `npx -y pnpm@12 example` runs it. */
export type ExampleProcess = {
  readonly url: string
  /** Sends SIGINT. @returns the exit code */
  stop(): Promise<number | null>
}

export async function startProcess(env: Record<string, string> = {}): Promise<ExampleProcess> {
  const child = runExample({ PORT: '0', LOG_LEVEL: 'warn', ...env })
  const url = await announced(child)
  const response = await fetch(`${url}/readyz`)
  if (!response.ok) throw new Error(`not ready: ${response.status}`)
  return {
    url,
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
