import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Program, repository, runCommand, until } from '@quipu/local/testing'
import { canMount, type Disk, mountDisk } from '../run/disk.ts'
import { held, type Release } from '../run/hold.ts'
import { childrenOf } from '../run/processes.ts'
import type { Host } from './network.ts'
import type { PatroniPrograms } from './programs.ts'

/** A database node: PostgreSQL under Patroni, which is started again 2 s after it has ended, as by a unit of systemd. */
export type PatroniNode = {
  readonly name: string
  readonly host: Host
  /** The file of Patroni's and PostgreSQL's output. */
  readonly log: string
  /** The folder of PostgreSQL. */
  readonly data: string
  /** Undefined where none can be mounted. */
  readonly disk: Disk | undefined
  /** Ends Patroni by SIGKILL. */
  killPatroni(): void
  /** Ends every process of PostgreSQL by SIGKILL. */
  killPostgres(): Promise<void>
  /** Stops Patroni by SIGSTOP, until all who have done so release it. */
  freezePatroni(): Promise<Release>
  /** Stops every process of PostgreSQL, until all who have done so release it. */
  freezePostgres(): Promise<Release>
  /** Ends Patroni by SIGKILL, and keeps it down until all who have done so release it. */
  losePatroni(): Promise<Release>
  /** As `losePatroni`, with PostgreSQL. */
  lose(): Promise<Release>
  /** Stops PostgreSQL and then Patroni, and keeps both down until all who have done so release it. */
  shutDown(): Promise<Release>
  /** Restarts PostgreSQL, as `patronictl restart` does. */
  restart(): Promise<void>
  /** Runs a program of PostgreSQL on this host. @throws with its output */
  runProgram(command: readonly string[]): Promise<void>
  /** Removes the cluster's state from etcd, as `patronictl remove` does. */
  removeCluster(): Promise<void>
  /** Starts anew from an empty folder, by the documented configuration with a change. */
  rebuild(change: (text: string, data: string) => string): Promise<void>
  /** The answer to `GET /cluster` of its Patroni; undefined without an answer. */
  cluster(): Promise<readonly Member[] | undefined>
  stop(): Promise<void>
}

export type Member = { readonly name: string; readonly role: string; readonly state: string; readonly lag?: number }

export type NodeOptions = {
  readonly name: string
  readonly host: Host
  readonly etcd: readonly string[]
  readonly programs: PatroniPrograms
  /** The cluster's folder. */
  readonly folder: string
}

/** The superuser's password, and the other ones of the cluster. */
export const password = 'of-the-laboratory'
const restartAfterMs = 2_000

/** Runs the node of docs/operations/patroni/patroni.yml; only folders and addresses differ. */
export async function startNode({ name, host, etcd, programs, folder }: NodeOptions): Promise<PatroniNode> {
  const home = path.join(folder, name)
  const disk = canMount() ? await mountDisk(home) : undefined
  if (!disk) await mkdir(home)
  const [data, file, log] = ['data', 'patroni.yml', 'patroni.log'].map((part) => path.join(home, part)) as Paths
  await writeFile(file, await configuration(home, data, folder))
  if (process.getuid?.() === 0) await chown(home, 65534, 65534)
  const env = environment({ name, host, etcd, programs, folder }, home, log)
  // Patroni's output is a file: PostgreSQL inherits it, and would keep a pipe open after the end of Patroni.
  const redirected = ['sh', '-c', 'exec "$@" >> "$LOG" 2>&1', 'sh', programs.patroni, file]
  let isDown = false
  let current = run()
  function run(): Program {
    const program = runCommand(name, { command: [...host.prefix, ...redirected], env, cwd: '/' })
    void program.ended.then(async () => {
      await pause(restartAfterMs)
      if (!isDown && current === program) current = run()
    })
    return program
  }
  const signalPostgres = async (signal: NodeJS.Signals): Promise<void> => {
    const pids = await postgresOf(data)
    for (const pid of pids) tryKill(pid, signal)
  }
  const faults = faultsOf({
    current: () => current,
    signalPostgres,
    keepDown: () => (isDown = true),
    letStart: () => {
      isDown = false
      if (!current.isRunning()) current = run()
    },
  })
  const runProgram: PatroniNode['runProgram'] = async (command) => {
    const options = { command: [...host.prefix, ...command], env: { ...env, PGPASSWORD: password }, cwd: home }
    const program = runCommand(name, options)
    if ((await program.ended) !== 0) throw new Error(`${command.join(' ')}: ${program.output()}`)
  }
  return {
    name,
    host,
    log,
    data,
    disk,
    ...faults,
    ...requestsTo(host.address),
    runProgram,
    removeCluster: () => {
      const remove = `printf 'quipu\\nYes I am aware\\n' | ${programs.patroni}ctl -c ${file} remove quipu`
      return runProgram(['sh', '-c', remove])
    },
    rebuild: async (change) => {
      const release = await faults.lose()
      await rm(data, { recursive: true, force: true })
      await writeFile(file, change(await configuration(home, data, folder), data))
      await release()
    },
    stop: async () => {
      isDown = true
      await signalPostgres('SIGCONT')
      current.signal('SIGCONT')
      current.signal('SIGTERM') // Stops PostgreSQL first.
      await Promise.race([current.ended, pause(20_000, undefined, { ref: false })])
      await current.kill()
      await signalPostgres('SIGKILL')
      await disk?.[Symbol.asyncDispose]()
    },
  }
}

type Processes = {
  current(): Program
  signalPostgres(signal: NodeJS.Signals): Promise<void>
  /** Patroni is not started again. */
  keepDown(): void
  letStart(): void
}

type Faults = 'killPatroni' | 'killPostgres' | 'freezePatroni' | 'freezePostgres' | 'losePatroni' | 'lose' | 'shutDown'

function faultsOf({ current, signalPostgres, keepDown, letStart }: Processes): Pick<PatroniNode, Faults> {
  const holdDown = held(keepDown, letStart)
  const losePatroni = async (): Promise<Release> => {
    const release = await holdDown()
    await current().kill()
    return release
  }
  return {
    killPatroni: () => current().signal('SIGKILL'),
    killPostgres: () => signalPostgres('SIGKILL'),
    freezePatroni: held(
      () => current().signal('SIGSTOP'),
      () => current().signal('SIGCONT'),
    ),
    freezePostgres: held(
      () => signalPostgres('SIGSTOP'),
      () => signalPostgres('SIGCONT'),
    ),
    losePatroni,
    shutDown: async () => {
      const release = await holdDown()
      current().signal('SIGTERM')
      await current().ended
      return release
    },
    lose: async () => {
      const release = await losePatroni()
      await signalPostgres('SIGKILL')
      return release
    },
  }
}

/** Requests to a node's Patroni. */
const requestsTo = (address: string): Pick<PatroniNode, 'restart' | 'cluster'> => ({
  restart: async () => {
    const answer = await fetch(`http://${address}:8008/restart`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer.ok) throw new Error(`Patroni refused a restart: ${await answer.text()}`)
  },
  cluster: async () => {
    const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
      .then(async (response) => (await response.json()) as { readonly members: readonly Member[] })
      .catch(() => undefined)
    return answer?.members
  },
})

type Paths = [data: string, file: string, log: string]

function environment({ name, host: { address }, etcd, programs }: NodeOptions, home: string, log: string) {
  return {
    HOME: home,
    LOG: log,
    PATH: `${programs.postgres}:${process.env['PATH'] ?? ''}`,
    OWNER_PASSWORD: password,
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: etcd.map((each) => `'${each}'`).join(','),
    PATRONI_RESTAPI_LISTEN: `${address}:8008`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
    PATRONI_POSTGRESQL_LISTEN: `${address}:5432`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
    PATRONI_POSTGRESQL_BIN_DIR: programs.postgres,
    PATRONI_POSTGRESQL_PGPASS: path.join(home, 'pgpass'),
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_REWIND_PASSWORD: password,
  }
}

/** A file of docs/operations/patroni. */
export const documented = (file: string): Promise<string> =>
  readFile(path.join(repository, 'docs/operations/patroni', file), 'utf8')

async function configuration(home: string, data: string, folder: string): Promise<string> {
  const sockets = `parameters: { unix_socket_directories: ${home} }`
  const text = await documented('patroni.yml')
  return text
    .replace('data_dir: /var/lib/postgresql/18/data', `data_dir: ${data}\n  ${sockets}`)
    .replaceAll('/etc/patroni/', `${folder}/`)
    .replaceAll('/archive/', `${folder}/archive/`)
}

/** The process ids of the server in the folder: the postmaster's, and those that it has started. */
async function postgresOf(data: string): Promise<readonly number[]> {
  const [first = ''] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const postmaster = Number(first)
  if (postmaster === 0 || !(await isPostgres(postmaster))) return []
  return [postmaster, ...(await childrenOf(postmaster))]
}

const isPostgres = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).startsWith('postgres')

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** @returns once a primary runs, and a standby that its commits wait for streams */
export const untilConfirming = (nodes: readonly PatroniNode[]): Promise<boolean> =>
  until('the cluster has a primary and a synchronous standby', async () => {
    const views = await Promise.all(nodes.map((node) => node.cluster()))
    const has = (members: readonly Member[], role: string, state: string): boolean =>
      members.some((member) => member.role === role && member.state === state)
    return views.some((view = []) => has(view, 'leader', 'running') && has(view, 'sync_standby', 'streaming'))
  })

/** @returns once `name` is the only leader that the members agree on */
export const untilLed = (nodes: readonly PatroniNode[]): Promise<PatroniNode> =>
  until('the cluster has a primary and two standbys', () => healthyLeader(nodes))

async function healthyLeader(nodes: readonly PatroniNode[]): Promise<PatroniNode | undefined> {
  const views = await Promise.all(nodes.map((node) => node.cluster()))
  const healthy = views.map((members) => {
    const of = (role: string, state: string): readonly Member[] =>
      (members ?? []).filter((member) => member.role === role && member.state === state)
    const standbys = [...of('sync_standby', 'streaming'), ...of('replica', 'streaming')]
    const [leader] = of('leader', 'running')
    return standbys.length === 2 && of('sync_standby', 'streaming').length === 1 ? leader?.name : undefined
  })
  const [name] = healthy
  return healthy.every((each) => each === name) ? nodes.find((node) => node.name === name) : undefined
}
