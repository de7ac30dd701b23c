import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of this repository, whose `node_modules/.bin` holds every tool. */
export const repository: string = fileURLToPath(new URL('../../..', import.meta.url))

export type Command = readonly [program: string, ...args: string[]]

export type Outcome = { readonly code: number; readonly output: string; readonly seconds: number }

const tools = join(repository, 'node_modules', '.bin')

/** Of a test run around this process, a tool must know nothing. */
const ofTests = /^(VITEST|NODE_ENV$|FORCE_COLOR$)/

/**
 * Runs a tool of this repository in `root` and keeps what it prints.
 *
 * A tool that cannot be started, or that is killed, ends with a code other than 0.
 */
export async function run(command: Command, root: string): Promise<Outcome> {
  const started = performance.now()
  const child = start(command, root, ['ignore', 'pipe', 'pipe'])
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => output.push(text))
  }
  const code = await ended(child)
  return { code, output: output.join(''), seconds: (performance.now() - started) / 1000 }
}

/** As `run`, but what the tool prints goes to the terminal. */
export const runAloud = (command: Command, root: string): Promise<number> =>
  ended(start(command, root, 'inherit'))

function start([program, ...args]: Command, root: string, stdio: StdioOptions): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !ofTests.test(name))
  const PATH = `${tools}${delimiter}${process.env['PATH'] ?? ''}`
  return spawn(program, args, { cwd: root, env: { ...Object.fromEntries(inherited), PATH }, stdio })
}

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
