import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of this repository, whose `node_modules/.bin` holds every tool. */
export const repository: string = fileURLToPath(new URL('../../..', import.meta.url))

export type Command = readonly [program: string, ...args: string[]]

export type Outcome = {
  readonly code: number
  /** Standard error, then standard output. */
  readonly output: string
  /** Standard output alone. */
  readonly printed: string
  readonly seconds: number
}

const tools = join(repository, 'node_modules', '.bin')

/** Variables of a surrounding test run. A tool runs without them. */
const ofTests = /^(VITEST|NODE_ENV$|FORCE_COLOR$)/

/**
 * Runs a tool of this repository in `root`. Two pipes do not keep the order between standard error and standard
 * output. The code is not 0 if the tool cannot be started or is killed.
 */
export function run([program, ...args]: Command, root: string): Promise<Outcome> {
  const started = performance.now()
  let errors = ''
  let printed = ''
  const child = spawn(program, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  return new Promise((resolve) => {
    const end = (code: number): void => {
      const seconds = (performance.now() - started) / 1000
      resolve({ code, output: errors + printed, printed, seconds })
    }
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
