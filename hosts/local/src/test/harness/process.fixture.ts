import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A program of this repository in a process of its own. */
export type Program = {
  readonly pid: number
  /** What it has written so far, both streams together. */
  output(): string
  /** Waits until it has written this. @throws when it ends without */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** As `kill -9` does; waits until it is dead. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  isRunning(): boolean
}

/** For a machine that is busy with other tests. */
const deadlineMs = 60_000

/** Waits for a condition, and fails when it does not come. @returns what the condition gave */
export async function until<T>(
  what: string,
  condition: () => T | undefined | null | false | Promise<T | undefined | null | false>,
): Promise<T> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const met = await condition()
    if (met) return met
    if (Date.now() > deadline) throw new Error(`not within ${deadlineMs / 1000} s: ${what}`)
    await pause(10)
  }
}

/** @param file  from `hosts/`, such as `api/src/main.ts` */
export function run(file: string, env: Record<string, string>, args: string[] = []): Program {
  const script = fileURLToPath(new URL(`../../../../${file}`, import.meta.url))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const flags = ['--conditions=source', `--import=${import.meta.resolve('./preload.fixture.ts')}`]
  const child = spawn(process.execPath, [...flags, script, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  let isRunning = true
  const ended = once(child, 'close').then(([code, signal]): number | NodeJS.Signals => {
    isRunning = false
    return (code ?? signal) as number | NodeJS.Signals
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${file} could not be run`)
  return {
    pid,
    output: () => output,
    async says(pattern) {
      return until(`${file} says ${String(pattern)}: ${output}`, () => {
        const found = pattern.exec(output)
        if (!found && !isRunning)
          throw new Error(`${file} ended without ${String(pattern)}: ${output}`)
        return found
      })
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    signal: (name) => void child.kill(name),
    ended,
    isRunning: () => isRunning,
  }
}
