import { setTimeout as pause } from 'node:timers/promises'
import { until } from '@quipu/local/testing'
import type { PatroniCluster } from '../../patroni/cluster.ts'
import type { Host } from '../../patroni/network.ts'
import { type FaultContext, type Heal, type Injection, none, oneOf } from './injection.ts'

/** Faults of a cluster of three database nodes; `restore` of the database heals all of them. */
export const patroniFaults = {
  switchover: async (context) => {
    await clusterOf(context).switchOver()
    return none
  },
  'kill-postgres': on('primary', (node) => node.signalPostgres('SIGKILL')),
  'lose-primary': on('primary', (node) => node.lose()),
  'kill-patroni': on('primary', async (node) => node.signalPatroni('SIGKILL')),
  'lose-patroni': on('primary', (node) => node.losePatroni()),
  'freeze-patroni': on('primary', async (node) => node.signalPatroni('SIGSTOP')),
  'freeze-postgres': on('primary', (node) => node.signalPostgres('SIGSTOP')),
  'lose-standby': on('standby', (node) => node.lose()),
  'lose-standbys': async (context) => {
    const { standby, other } = await clusterOf(context).roles()
    await Promise.all([standby, other].map((node) => node.lose()))
    return healOf(context)
  },
  'lose-two': async (context) => {
    const { primary, standby } = await clusterOf(context).roles()
    await Promise.all([primary, standby].map((node) => node.lose()))
    return healOf(context)
  },
  'lone-primary': async (context) => {
    const { primary, standby, other } = await clusterOf(context).roles()
    await Promise.all([standby, other].map((node) => node.lose()))
    await primary.lose()
    await primary.start()
    return refusing(context, primary.host)
  },
  'lose-patroni-and-standby': async (context) => {
    const { etcd, proxy, roles } = clusterOf(context)
    const { primary, standby, other } = await roles()
    proxy.reload()
    await pause(6_000) // The old process of HAProxy ends after hard-stop-after.
    await primary.losePatroni()
    await cut([oneOf([standby, other], context).host], [etcd.host])
    return healOf(context)
  },
  'reload-and-freeze': async (context) => {
    const { proxy, roles } = clusterOf(context)
    const { primary } = await roles()
    proxy.reload()
    await pause(6_000)
    primary.signalPatroni('SIGSTOP')
    return healOf(context)
  },
  'freeze-etcd': async (context) => {
    for (const member of clusterOf(context).etcd.members.slice(1)) member.signal('SIGSTOP')
    return healOf(context)
  },
  'cut-primary': (context) => cutPrimary(context, ({ etcd, proxy }, others) => [etcd.host, proxy.host, ...others]),
  'cut-primary-from-nodes': (context) => cutPrimary(context, ({ etcd }, others) => [etcd.host, ...others]),
  'cut-primary-from-etcd': (context) => cutPrimary(context, ({ etcd }) => [etcd.host]),
  'cut-primary-from-standbys': (context) => cutPrimary(context, (_, others) => others),
  'cut-primary-from-proxy': (context) => cutPrimary(context, ({ proxy }) => [proxy.host]),
  'primary-disk-full': async (context) => {
    const { primary } = await clusterOf(context).roles()
    if (!primary.disk) throw new Error('no disk is mounted')
    await primary.disk.fill()
    return healOf(context)
  },
  'no-standby-required': async (context) => {
    const { query, roles } = clusterOf(context)
    const { host } = (await roles()).primary
    const change = async (statement: string): Promise<void> => {
      await query(host, `alter system ${statement}`)
      await query(host, 'select pg_reload_conf()')
    }
    await change("set synchronous_standby_names = ''")
    await until('the server requires no standby', async () => (await standbyNames(context, host)) === '')
    await pause(answeredMs)
    const { load, report } = context
    const before = load.accepted()
    return async () => {
      const accepted = load.accepted() - before
      await change('reset synchronous_standby_names')
      if (accepted > 0) report(`${accepted} payouts were accepted while the server required no standby`)
    }
  },
} satisfies Readonly<Record<string, Injection>>

/** Answers of before a fault arrive within this time. */
const answeredMs = 1_000

function clusterOf({ system: { database } }: Pick<FaultContext, 'system'>): PatroniCluster {
  if (!database.patroni) throw new Error('the database is no Patroni cluster')
  return database.patroni
}

const healOf =
  ({ system: { database } }: FaultContext): Heal =>
  () =>
    database.restore()

type Node = PatroniCluster['nodes'][number]

function on(role: 'primary' | 'standby', act: (node: Node) => Promise<void>): Injection {
  return async (context) => {
    await act((await clusterOf(context).roles())[role])
    return healOf(context)
  }
}

/** Drops the packets between the primary and other hosts in one direction or in both, without a word. */
async function cutPrimary(
  context: FaultContext,
  othersOf: (cluster: PatroniCluster, standbys: readonly Host[]) => readonly Host[],
): Promise<Heal> {
  const cluster = clusterOf(context)
  const { primary, standby, other } = await cluster.roles()
  const others = othersOf(cluster, [standby.host, other.host])
  await oneOf(
    [
      () => cut([primary.host], others),
      () => cut(others, [primary.host]),
      () => Promise.all([cut([primary.host], others), cut(others, [primary.host])]),
    ],
    context,
  )()
  return healOf(context)
}

async function cut(hosts: readonly Host[], from: readonly Host[]): Promise<void> {
  for (const host of hosts) {
    if (!host.drop) throw new Error('there are no network namespaces')
    await host.drop(from)
  }
}

const standbyNames = async (context: FaultContext, host: Host): Promise<string | undefined> =>
  clusterOf(context)
    .query<{ names: string }>(host, `select current_setting('synchronous_standby_names') as names`)
    .then(
      ([row]) => row?.names,
      () => undefined,
    )

/** Once the lone server runs, no payout is accepted until it has a standby again. */
async function refusing(context: FaultContext, host: Host): Promise<Heal> {
  await until('the lone server answers', async () => (await standbyNames(context, host)) !== undefined)
  await pause(answeredMs)
  const before = context.load.accepted()
  return async () => {
    const [accepted, names] = [context.load.accepted() - before, await standbyNames(context, host)]
    await context.system.database.restore()
    if (accepted > 0 || names === '') context.report(`a lone primary with “${names}” accepted ${accepted} payouts`)
  }
}
