import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { programFile, sourceFile } from './program-file.fixture.ts'

/** A program of this repository, run as a child process. */
export type Program = {
  readonly pid: number
  /** Standard output and standard error so far. */
  output(): string
  /** Waits until the output matches. @throws if the program ends without a match */
  untilOutput(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>
  isRunning(): boolean
}

/** Ends a wait that hangs. No machine is so busy that it reaches this limit. */
const limitMs = 540_000

/**
 * Polls a condition until its result is truthy, ever less often: what is waited for needs the processors.
 *
 * @param name  what is waited for, in the message; a function adds how far it has come
 * @returns that result; @throws after 9 min
 */
export async function until<T>(
  name: string | (() => string),
  condition: () => T | undefined | null | false | Promise<T | undefined | null | false>,
): Promise<T> {
  const deadline = Date.now() + limitMs
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.2, 300)) {
    const met = await condition()
    if (met) return met
    if (Date.now() > deadline) throw new Error(`never met: ${typeof name === 'string' ? name : name()}`)
    await pause(pauseMs)
  }
}

/** @param file  relative to `hosts/`, such as `api/src/main.ts` */
export function run(file: string, env: Record<string, string>, args: string[] = []): Program {
  return runCommand(file, { command: [process.execPath, ...sourceFlags, programFile(file), ...args], env })
}

/** The same from its sources, for a test that observes which modules it loads. */
export function runSource(file: string, env: Record<string, string>): Program {
  return runCommand(file, { command: [process.execPath, ...sourceFlags, sourceFile(file)], env })
}

/** Flags of Node for a program of this repository. */
export const sourceFlags: readonly string[] = [
  '--conditions=source',
  `--import=${import.meta.resolve('./preload.fixture.ts')}`,
]

export type CommandToRun = {
  readonly command: readonly string[]
  readonly env: Record<string, string>
  readonly cwd?: string
}

/** @param name  of the program, in messages */
export function runCommand(name: string, { command, env, cwd }: CommandToRun): Program {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
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
  if (pid === undefined) throw new Error(`${name} could not be started`)
  return {
    pid,
    output: () => output,
    async untilOutput(pattern) {
      return until(`${name} prints ${String(pattern)}: ${output}`, () => {
        const found = pattern.exec(output)
        if (!found && !isRunning) throw new Error(`${name} ended without printing ${String(pattern)}: ${output}`)
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
