import { spawn } from 'node:child_process'
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
 * Runs a tool of this repository in `root` and keeps what it prints: its errors, then its output. Which
 * of the two was printed first cannot be told, as they arrive by two pipes.
 *
 * A tool that cannot be started, or that is killed, ends with a code other than 0.
 */
export function run([program, ...args]: Command, root: string): Promise<Outcome> {
  const started = performance.now()
  let errors = ''
  let printed = ''
  const child = spawn(program, args, {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  return new Promise((resolve) => {
    const end = (code: number): void =>
      resolve({ code, output: errors + printed, seconds: (performance.now() - started) / 1000 })
    child.on('error', (error) => {
      errors += error.message
      end(1)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}

function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !ofTests.test(name))
  const PATH = `${tools}${delimiter}${process.env['PATH'] ?? ''}`
  // Where it finds `CI`, a tool paints even what goes into a pipe.
  return { ...Object.fromEntries(inherited), PATH, NO_COLOR: '1' }
}
