import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { promisify } from 'node:util'

const samples = path.resolve(import.meta.dirname, '../../../../docs/examples/other-languages')

/** A language of the guide, and how its samples are run. */
export type Language = {
  readonly name: string
  /** The program that runs the samples, or the path in the environment variable. */
  readonly command: string
  readonly variable: string
  readonly version: readonly string[]
  readonly pay: readonly string[]
  receive(port: number): readonly string[]
  /** The same with samples that `compile` has written into a folder; for a language that runs its sources slowly. */
  readonly compiled?: (folder: string) => Pick<Language, 'pay' | 'receive'> & { readonly compile: readonly string[] }
  readonly get: string
  /** Its compiler runs first, or its machine starts. */
  readonly startsSlowly?: true
  /** The folder for temporary files of its programs; by default that of the system. */
  readonly temporary?: string
}

/** Flags of a JVM that ends soon. */
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

export const languages: readonly Language[] = [
  {
    name: 'Python',
    command: 'python3',
    variable: 'QUIPU_PYTHON',
    version: ['--version'],
    pay: ['pay.py'],
    receive: () => ['receive.py'],
    get: 'install Python 3.9 or newer (python.org)',
  },
  {
    name: 'PHP',
    command: 'php',
    variable: 'QUIPU_PHP',
    version: ['--version'],
    pay: ['pay.php'],
    receive: (port) => ['-S', `127.0.0.1:${port}`, 'receive.php'],
    get: 'install PHP 8.1 or newer with its command line (php.net)',
  },
  {
    name: 'Go',
    command: 'go',
    variable: 'QUIPU_GO',
    version: ['version'],
    pay: ['run', 'pay.go'],
    receive: () => ['run', 'receive.go'],
    get: 'install Go 1.19 or newer (go.dev)',
    startsSlowly: true,
  },
  {
    name: 'Java',
    command: 'java',
    variable: 'QUIPU_JAVA',
    version: ['--version'],
    pay: ['Pay.java'],
    receive: () => ['Receive.java'],
    compiled: (folder) => ({
      compile: ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-d', folder, 'Pay.java', 'Receive.java'],
      pay: [...quickStart, '-cp', folder, 'Pay'],
      receive: () => [...quickStart, '-cp', folder, 'Receive'],
    }),
    get: 'install a JDK, 17 or newer (adoptium.net)',
    startsSlowly: true,
  },
]

const commandOf = ({ variable, command }: Language): string => process.env[variable] ?? command

/** Whether this machine has the language. */
export const isAtHand = (language: Language): boolean =>
  spawnSync(commandOf(language), language.version, { stdio: 'ignore' }).status === 0

/** Compiles the samples of a language that runs its sources slowly. */
export async function compiled(language: Language, folder: string): Promise<Language> {
  const written = language.compiled?.(folder)
  if (!written) return language
  const { compile, pay, receive } = written
  await promisify(execFile)(commandOf(language), compile, { cwd: samples })
  return { ...language, pay, receive }
}

export type Ended = { readonly code: number; readonly output: string; readonly errors: string }

/** Runs the paying sample to its end. */
export async function pay(language: Language, url: string, key: string, args: readonly string[]): Promise<Ended> {
  const env = { QUIPU_API_URL: url, QUIPU_API_KEY: key }
  const program = start(language, [...language.pay, ...args], env)
  const [output, errors, [code]] = await Promise.all([
    readText(program.stdout),
    readText(program.stderr),
    once(program, 'close') as Promise<[number]>,
  ])
  return { code, output, errors }
}

export type Receiving = AsyncDisposable & { output(): string; errors(): string }

/** Starts the receiving sample, and waits until it listens. @throws Error with its last words when it ends */
export async function receive(language: Language, port: number, secrets: string | undefined): Promise<Receiving> {
  const env = { PORT: String(port), ...(secrets !== undefined && { QUIPU_WEBHOOK_SECRET: secrets }) }
  const program = start(language, language.receive(port), env)
  let output = ''
  let errors = ''
  program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  program.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  while (!(await accepts(port))) {
    if (program.exitCode !== null) throw new Error(`the receiver has ended: ${errors}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    output: () => output,
    errors: () => errors,
    async [Symbol.asyncDispose]() {
      const closed = once(program, 'close')
      endGroup(program)
      await closed
    },
  }
}

function start(language: Language, args: readonly string[], env: Record<string, string>) {
  return spawn(commandOf(language), args, {
    cwd: samples,
    env: { ...process.env, ...(language.temporary !== undefined && { TMPDIR: language.temporary }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Own process group: `go run` starts the program as a child.
  })
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * The fate of the answer to a request: it is lost with its connection, it breaks off, or another one takes its place.
 */
export type Fault =
  | 'lost'
  | 'cut'
  | {
      readonly status: number
      readonly body?: string
      /** `Retry-After`. Default: `0`. */
      readonly after?: string
    }

/** A server in front of another one that spoils the first answers of a path. */
export type FailingProxy = AsyncDisposable & {
  readonly url: string
  /** The bodies that arrived for the path, with their times. */
  readonly requests: { readonly body: string; readonly at: number }[]
}

/** Forwards requests, and spoils the answers to the first ones for the path: one fault each. The requests take effect. */
export async function failingProxy(target: string, failing: string, faults: readonly Fault[]): Promise<FailingProxy> {
  const requests: { body: string; at: number }[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readText(request)
      const fault = request.url === failing ? faults[requests.length] : undefined
      if (request.url === failing) requests.push({ body, at: performance.now() })
      const headers = {
        'X-API-Key': String(request.headers['x-api-key']),
        'Content-Type': String(request.headers['content-type']),
      }
      const { method = 'GET' } = request
      const sent = { method, headers, ...(method !== 'GET' && { body }) }
      const answer = await fetch(target + request.url, sent)
      const text = await answer.text()
      if (fault === undefined) response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text)
      else spoil(response, fault, text)
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function spoil(response: ServerResponse, fault: Fault, text: string): void {
  if (fault === 'lost') {
    response.destroy()
  } else if (fault === 'cut') {
    response.writeHead(201, { 'Content-Length': String(Buffer.byteLength(text)) })
    response.write(text.slice(0, text.length >> 1), () => response.destroy())
  } else {
    const { status, body = '', after = '0' } = fault
    response.writeHead(status, { 'Retry-After': after }).end(body)
  }
}
