import { chmod, chown, copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { migrateWithOperators, type Program, runCommand, until } from '@quipu/local/testing'
import { grants } from '../run/template.ts'
import { childrenOf, exists } from '../run/processes.ts'
import { runSql } from '../run/run-sql.ts'
import { type Host, type Network, openNetwork } from './network.ts'
import { documented, password, type PatroniNode, startNode, untilConfirming, untilLed } from './node.ts'
import type { PatroniPrograms } from './programs.ts'
import { type Upgrade, upgradePostgres } from './upgrade.ts'

/** Three database nodes, three of etcd, and HAProxy, by the files of docs/operations/patroni. */
export type PatroniCluster = {
  readonly nodes: readonly PatroniNode[]
  readonly etcd: { readonly host: Host; readonly members: readonly Program[] }
  readonly proxy: {
    readonly host: Host
    /** Resolves when the process of before has ended. */
    reload(): Promise<void>
  }
  /** The primary of this moment, its synchronous standby, and the other one; those of before where no node says. */
  roles(): Promise<Roles>
  /** Asks Patroni for another primary until it agrees; resolves when it has one. */
  switchOver(): Promise<void>
  /** Runs a statement as the superuser on a node, whatever its role. */
  query<Row extends pg.QueryResultRow>(host: Host, sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Rises by one with each promotion. */
  timeline(): Promise<number>
  /** @returns the folder of a base backup of the primary */
  backUp(): Promise<string>
  /** Archives the log that is written so far. */
  archiveAll(): Promise<void>
  /** Loses every node, and makes a cluster anew from a backup and the archive, as of the target. */
  restoreTo(target: Date, backup: string): Promise<void>
  /** Makes another cluster of the primary's folder by pg_upgrade, and standbys of it. */
  upgrade(reached: Upgrade['reached']): Promise<void>
  /** Copies what Patroni and PostgreSQL have logged. */
  keepLogs(folder: string): Promise<void>
}

export type Roles = { readonly primary: PatroniNode; readonly standby: PatroniNode; readonly other: PatroniNode }

/** The database of the cluster, through HAProxy. */
export type PatroniDatabase = {
  readonly patroni: PatroniCluster
  /** For the processes' role. */
  readonly roleUrl: string
  /** For the superuser. */
  url(): string
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Waits until the cluster is whole and HAProxy leads to its primary. */
  restore(): Promise<void>
  stop(): Promise<void>
}

const roleUrlOf = (host: Host): string => `postgres://quipu_app:choose%20one@${host.address}:5432/quipu`
const urlOf = (host: Host, user: string): string => `postgres://${user}:${password}@${host.address}:5432/quipu`

export async function startPatroni(
  folder: string,
  programs: PatroniPrograms,
  migrate: (url: string) => Promise<void> = migrateWithOperators,
): Promise<PatroniDatabase> {
  await using started = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => started.adopt(thing, () => thing.stop())
  await prepare(folder)
  const network: Network = own(await openNetwork(5))
  const [etcdHost, proxyHost, ...hosts] = network.hosts(5) as [Host, Host, ...Host[]]
  const members = await startEtcd(etcdHost, programs.etcd, folder)
  for (const member of members) started.defer(() => member.kill())
  const etcd = etcdPorts.map((port) => `${etcdHost.address}:${port}`)
  const nodes = await Promise.all(
    hosts.map((host, place) => startNode({ name: `db-${place + 1}`, host, etcd, programs, folder })),
  )
  own({ stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))) })
  const proxy = own(await startProxy(proxyHost, hosts, programs.haproxy, folder))
  const roles = rolesOf(nodes)
  /** Promotions of the clusters before an upgrade, whose successors begin at timeline 1. */
  let earlier = 0
  const patroni: PatroniCluster = {
    nodes,
    etcd: { host: etcdHost, members },
    proxy: { host: proxyHost, reload: proxy.reload },
    roles,
    switchOver: async () => void (await switchOver(roles)),
    query: (host, sql, values) => query(urlOf(host, 'postgres'), sql, values),
    timeline: async () => {
      const walFile = `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`
      const rows = await query<{ timeline: number }>(urlOf(proxyHost, 'postgres'), walFile)
      return (rows[0]?.timeline ?? 0) + earlier
    },
    backUp: async () => {
      const backup = path.join(folder, `backup-${Date.now()}`)
      const { primary } = await roles()
      const from = [`--host=${primary.host.address}`, '--username=standby', `--pgdata=${backup}`, '--checkpoint=fast']
      await primary.runProgram([path.join(programs.postgres, 'pg_basebackup'), ...from])
      return backup
    },
    archiveAll: async () => {
      const url = urlOf(proxyHost, 'postgres')
      const [row] = await query<{ file: string }>(url, 'select pg_walfile_name(pg_switch_wal()) as file')
      await until('the log is archived', () => existsSync(path.join(folder, 'archive', row?.file ?? '')))
    },
    restoreTo: async (target, backup) => {
      const releases = await Promise.all(nodes.map((node) => node.lose()))
      for (const node of nodes) await node.rebuild((text, data) => restoring(text, { target, backup, data, folder }))
      for (const release of releases) await release()
      await untilLed(nodes)
    },
    upgrade: async (reached) => {
      const before = await patroni.timeline()
      const emptyArchive = (): Promise<void> => makeArchive(path.join(folder, 'archive'))
      const { primary, standby, other } = await roles()
      await upgradePostgres({ primary, standbys: [standby, other], programs, emptyArchive, reached })
      earlier = before - 1
    },
    keepLogs: async (to) => {
      for (const node of nodes) await copyFile(node.log, path.join(to, `${node.name}.log`))
    },
  }
  // The third node may still copy: the first step of a run waits for it.
  await untilConfirming(nodes)
  await prepareDatabase(proxyHost, migrate)
  const parts = started.move()
  return {
    patroni,
    roleUrl: roleUrlOf(proxyHost),
    url: () => urlOf(proxyHost, 'postgres'),
    query: (sql, values) => query(urlOf(proxyHost, 'postgres'), sql, values),
    restore: async () => {
      await untilLed(nodes)
      await untilProxied(urlOf(proxyHost, 'postgres'))
    },
    stop: () => parts.disposeAsync(),
  }
}

type Restore = { readonly target: Date; readonly backup: string; readonly data: string; readonly folder: string }

/** Patroni's configuration of a cluster that begins as of a moment of the archive, under another name in etcd. */
const restoring = (text: string, { target, backup, data, folder }: Restore): string =>
  text
    .replace('scope: quipu\n', 'scope: restored\n')
    .replace(/^ {2}post_bootstrap: .*\n/m, '')
    .replace(
      /^ {2}initdb: .*\n/m,
      `  method: restore
  restore:
    command: cp -R ${backup} ${data}
    no_params: true
    recovery_conf:
      restore_command: cp ${folder}/archive/%f %p
      recovery_target_time: '${target.toISOString().replace('T', ' ').replace('Z', '+00')}'
      recovery_target_action: promote
      recovery_target_timeline: latest
`,
    )

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const script = path.join(folder, 'bootstrap.sh')
  await writeFile(script, await documented('bootstrap.sh'))
  await chmod(script, 0o755)
  if (process.getuid?.() === 0) await chown(folder, 65534, 65534)
  await makeArchive(path.join(folder, 'archive'))
}

async function makeArchive(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  if (process.getuid?.() === 0) await chown(folder, 65534, 65534)
}

/** The schema with the operators of the tests, and the role of docs/operations/database.md. */
async function prepareDatabase(proxy: Host, migrate: (url: string) => Promise<void>): Promise<void> {
  const url = urlOf(proxy, 'quipu_admin')
  await untilProxied(url)
  await migrate(url)
  await query(url, grants)
}

const etcdPorts = [2379, 2479, 2579] as const

async function startEtcd(host: Host, program: string, folder: string): Promise<readonly Program[]> {
  const url = (port: number): string => `http://${host.address}:${port}`
  const cluster = etcdPorts.map((port) => `e${port}=${url(port + 1)}`).join(',')
  return Promise.all(
    etcdPorts.map(async (port) => {
      const data = path.join(folder, `etcd-${port}`)
      await mkdir(data, { mode: 0o700 })
      if (process.getuid?.() === 0) await chown(data, 65534, 65534)
      const urls = ['advertise-client-urls', 'listen-client-urls'].map((name) => `--${name}=${url(port)}`)
      const peers = ['initial-advertise-peer-urls', 'listen-peer-urls'].map((name) => `--${name}=${url(port + 1)}`)
      const options = [`--name=e${port}`, `--data-dir=${data}`, `--initial-cluster=${cluster}`, '--log-level=error']
      const timeouts = ['--heartbeat-interval=250', '--election-timeout=2500'] // The machine is busy.
      const command = [...host.prefix, program, ...options, ...urls, ...peers, ...timeouts]
      return runCommand('etcd', { command, env: {} })
    }),
  )
}

async function startProxy(host: Host, nodes: readonly Host[], program: string, folder: string) {
  const file = path.join(folder, 'haproxy.cfg')
  const text = (await documented('haproxy.cfg'))
    .replaceAll('bind :', `bind ${host.address}:`)
    .replaceAll(/ db-(\d):/g, (_, number: string) => ` ${nodes[Number(number) - 1]?.address ?? ''}:`)
  await writeFile(file, text)
  const running = runCommand('HAProxy', { command: [...host.prefix, program, '-W', '-f', file], env: {} })
  return {
    reload: async () => {
      const old = await childrenOf(running.pid)
      running.signal('SIGUSR2')
      await until('the old process of HAProxy has ended', () => !old.some(exists))
    },
    stop: async () => {
      running.signal('SIGTERM')
      await running.ended
    },
  }
}

const query = <Row extends pg.QueryResultRow>(
  connectionString: string,
  sql: string,
  values?: readonly unknown[],
): Promise<Row[]> => runSql({ connectionString, query_timeout: 30_000, connectionTimeoutMillis: 30_000 }, sql, values)

/** A cluster that a fault has broken may have no primary, or members that say otherwise than the others. */
function rolesOf(nodes: readonly PatroniNode[]): () => Promise<Roles> {
  let [primary, standby, other] = nodes
  return async () => {
    const views = await Promise.all(nodes.map((node) => node.cluster()))
    const members = views.find((view) => view?.some(({ role }) => role === 'leader')) ?? []
    const named = (role: string) =>
      nodes.find(({ name }) => members.find((member) => member.role === role)?.name === name)
    primary = named('leader') ?? primary
    standby = [named('sync_standby'), standby, other, ...nodes].find((node) => node && node !== primary)
    other = nodes.find((node) => node !== primary && node !== standby)
    if (!primary || !standby || !other) throw new Error('the cluster has fewer than three nodes')
    return { primary, standby, other }
  }
}

const switchOver = (roles: PatroniCluster['roles']): Promise<boolean> =>
  until('Patroni agrees to a switchover', async () => {
    const { primary, standby } = await roles()
    const body = JSON.stringify({ leader: primary.name, candidate: standby.name })
    const url = `http://${primary.host.address}:8008/switchover`
    // Another fault may stop it.
    const answer = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(60_000) }).catch(
      () => undefined,
    )
    if (answer?.ok !== true) await pause(1_000)
    return answer?.ok
  })

const untilProxied = (url: string): Promise<boolean> =>
  until('HAProxy leads to the primary', () =>
    query(url, 'select').then(
      () => true,
      () => pause(200).then(() => false),
    ),
  )
