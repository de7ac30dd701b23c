import { openProxy, type Proxy } from '@quipu/embedded-postgres'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { apiUrlsOf, type Program, programDefaults, runCommand, sourceFlags, until } from '@quipu/local/testing'

import type { ChaosNetwork } from './network.ts'

export type ProgramKind = 'api' | 'worker'

/** The addresses that a process connects to. */
export type Addresses = {
  readonly databaseUrl: string
  readonly network: Pick<ChaosNetwork, 'url' | 'env'>
  readonly chainUrl: string
}

/** A process that is restarted when it ends, as an orchestrator does, with a proxy to each of its dependencies. */
export type Supervised = {
  readonly name: string
  readonly kind: ProgramKind
  readonly database: Proxy
  readonly network: Proxy
  readonly chain: Proxy
  /** In front of an API: its URLs are the same after a restart. A worker has none. */
  readonly inbound: Proxy | undefined
  /** The operator API of the present process. */
  operatorUrl(): string
  pid(): number
  signal(name: NodeJS.Signals): void
  hasStarted(): boolean
  /** Waits until the present process has started. */
  untilStarted(): Promise<void>
  /** Stops the process; it starts again from the sources in another folder. */
  replaceBy(root: string): Promise<void>
  /** Offsets the process's clock. */
  moveClock(aheadMs: number): Promise<void>
  /** How often it ended without a signal of the harness. */
  unexpectedEnds(): readonly string[]
  /** Output of all its processes. */
  output(): string
  stop(): Promise<void>
}

export type SupervisedOptions = {
  readonly name: string
  readonly kind: ProgramKind
  /** Folder of the sources. */
  readonly root: string
  /** For its clock. */
  readonly folder: string
  readonly addresses: Addresses
  readonly env: Readonly<Record<string, string>>
}

const restartAfterMs = 300
const nowhere = 'http://127.0.0.1:9'
const started = { api: /"operator_url":/, worker: /worker started/ } as const

export async function supervise(options: SupervisedOptions): Promise<Supervised> {
  const { name, kind, folder, addresses } = options
  const database = await openProxy(addresses.databaseUrl)
  const network = await openProxy(addresses.network.url)
  const chain = await openProxy(addresses.chainUrl)
  const clockFile = path.join(folder, `${name}.clock`)
  const env = {
    ...programDefaults,
    ...options.env,
    DATABASE_URL: database.url,
    ...addresses.network.env(baseOf(network)),
    TRON_NODE_URL: baseOf(chain),
    CLOCK_FILE: clockFile,
  }
  const processes = restarting(options, env)
  const inbound = kind === 'api' ? await openProxy(() => processes.urls().url) : undefined
  const proxies = [database, network, chain, inbound].filter((proxy) => proxy !== undefined)
  return {
    name,
    kind,
    database,
    network,
    chain,
    inbound,
    ...processes,
    operatorUrl: () => processes.urls().operatorUrl,
    moveClock: (aheadMs) => writeFile(clockFile, String(aheadMs)),
    stop: async () => {
      await processes.stop()
      await Promise.all(proxies.map((proxy) => proxy.shut()))
    },
  }
}

/** Runs the program again and again. */
function restarting({ name, kind, root: first }: SupervisedOptions, env: Record<string, string>) {
  const outputs: Program[] = []
  const ends: string[] = []
  let root = first
  let isStopping = false
  let isSignalled = false
  const start = (): Program => {
    isSignalled = false
    const script = path.join(root, 'hosts', kind, 'src/main.ts')
    const command = [process.execPath, ...sourceFlags, script]
    const program = runCommand(name, { command, env, cwd: root })
    outputs.push(program)
    void program.ended.then(async (code) => {
      if (isStopping) return
      if (!isSignalled) ends.push(`${name} ended with ${code}: ${program.output().slice(-2_000)}`)
      await pause(restartAfterMs)
      if (!isStopping) current = start()
    })
    return program
  }
  let current = start()
  const hasStarted = (): boolean => current.isRunning() && started[kind].test(current.output())
  const untilStarted = async (): Promise<void> => void (await until(`${name} has started`, hasStarted))
  const signal = (signalName: NodeJS.Signals): void => {
    isSignalled ||= signalName !== 'SIGSTOP' && signalName !== 'SIGCONT'
    current.signal(signalName)
  }
  return {
    urls: () => apiUrlsOf(current.output()) ?? { url: nowhere, operatorUrl: nowhere },
    pid: () => current.pid,
    signal,
    hasStarted,
    untilStarted,
    replaceBy: async (next: string): Promise<void> => {
      root = next
      const replaced = current
      signal('SIGTERM')
      await replaced.ended
      await until(`${name} is replaced`, () => current !== replaced && hasStarted())
    },
    unexpectedEnds: (): readonly string[] => ends,
    output: (): string => outputs.map((program) => program.output()).join(''),
    stop: async (): Promise<void> => {
      isStopping = true
      current.signal('SIGCONT')
      await current.kill()
    },
  }
}

/** The proxy's URL without a final slash. */
export const baseOf = ({ url }: Proxy): string => url.replace(/\/$/, '')
