import { confirmRestore } from '@quipu/postgres'
import { until } from '@quipu/local/testing'
import type { PatroniCluster, Roles } from '../../patroni/cluster.ts'
import type { Host } from '../../patroni/network.ts'
import type { PatroniNode } from '../../patroni/node.ts'
import type { Release } from '../../run/hold.ts'
import { isDone } from '../system/database.ts'
import type { Heal } from '../system/network.ts'
import { baseOf } from '../system/supervised.ts'
import { type FaultContext, type Injection, none, oneOf } from './injection.ts'

/** Faults of a cluster of three database nodes. Each heals what it has broken, and nothing else. */
export const patroniFaults = {
  switchover: async (context) => {
    await clusterOf(context).switchOver()
    return none
  },
  'kill-postgres': on('primary', (node) => node.killPostgres().then(() => none)),
  'lose-primary': on('primary', (node) => node.lose()),
  'kill-patroni': on('primary', async (node) => {
    node.killPatroni()
    return none
  }),
  'lose-patroni': on('primary', (node) => node.losePatroni()),
  'freeze-patroni': on('primary', (node) => node.freezePatroni()),
  'freeze-postgres': on('primary', (node) => node.freezePostgres()),
  'lose-standby': on('standby', (node) => node.lose()),
  'lose-standbys': (context) => lose(context, ({ standby, other }) => [standby, other]),
  'lose-two': (context) => lose(context, ({ primary, standby }) => [primary, standby]),
  'lone-primary': startAlone,
  'lose-patroni-and-standby': async (context) => {
    const { etcd, proxy, roles } = clusterOf(context)
    const { primary, standby, other } = await roles()
    await proxy.reload()
    const start = await primary.losePatroni()
    const mend = await cut([oneOf([standby, other], context).host], [etcd.host])
    return all([start, mend])
  },
  'reload-and-freeze': async (context) => {
    const { proxy, roles } = clusterOf(context)
    const { primary } = await roles()
    await proxy.reload()
    return primary.freezePatroni()
  },
  'freeze-etcd': (context) => {
    const frozen = clusterOf(context).etcd.members.slice(1)
    for (const member of frozen) member.signal('SIGSTOP')
    return () => frozen.forEach((member) => member.signal('SIGCONT'))
  },
  'cut-primary': (context) => cutPrimary(context, ({ etcd, proxy }, others) => [etcd.host, proxy.host, ...others]),
  'cut-primary-from-nodes': (context) => cutPrimary(context, ({ etcd }, others) => [etcd.host, ...others]),
  'cut-primary-from-etcd': (context) => cutPrimary(context, ({ etcd }) => [etcd.host]),
  'cut-primary-from-standbys': (context) => cutPrimary(context, (_, others) => others),
  'cut-primary-from-proxy': (context) => cutPrimary(context, ({ proxy }) => [proxy.host]),
  'primary-disk-full': async (context) => {
    const { disk } = (await clusterOf(context).roles()).primary
    if (!disk) throw new Error('no disk is mounted')
    await disk.fill()
    return () => disk.free()
  },
  'no-standby-required': requireNoStandby,
  'upgrade-postgres': upgradePostgres,
} satisfies Readonly<Record<string, Injection>>

function clusterOf({ system: { database } }: Pick<FaultContext, 'system'>): PatroniCluster {
  if (!database.patroni) throw new Error('the database is no Patroni cluster')
  return database.patroni
}

const all =
  (releases: readonly Release[]): Release =>
  async () => {
    await Promise.all(releases.map((release) => release()))
  }

function on(role: 'primary' | 'standby', act: (node: PatroniNode) => ReturnType<Injection>): Injection {
  return async (context) => act((await clusterOf(context).roles())[role])
}

async function lose(context: FaultContext, nodesOf: (roles: Roles) => readonly PatroniNode[]): Promise<Release> {
  const nodes = nodesOf(await clusterOf(context).roles())
  return all(await Promise.all(nodes.map((node) => node.lose())))
}

/** Drops the packets between the primary and other hosts in one direction or in both, without a word. */
async function cutPrimary(
  context: FaultContext,
  othersOf: (cluster: PatroniCluster, standbys: readonly Host[]) => readonly Host[],
): Promise<Release> {
  const cluster = clusterOf(context)
  const { primary, standby, other } = await cluster.roles()
  const others = othersOf(cluster, [standby.host, other.host])
  const [here, there] = oneOf(
    [
      [true, false],
      [false, true],
      [true, true],
    ],
    context,
  )
  return all([
    ...(here ? [await cut([primary.host], others)] : []),
    ...(there ? [await cut(others, [primary.host])] : []),
  ])
}

async function cut(hosts: readonly Host[], from: readonly Host[]): Promise<Release> {
  const releases: Release[] = []
  for (const host of hosts)
    for (const each of from) {
      if (!host.drop) throw new Error('there are no network namespaces')
      releases.push(await host.drop(each))
    }
  return all(releases)
}

/** Requests that are refused while the fault lasts, so that no accident of the load hides an acceptance. */
const refusals = 3

/** The standbys that a primary requires; null for a standby, undefined without an answer. */
const namesOf = (context: FaultContext, host: Host): Promise<string | null | undefined> =>
  clusterOf(context)
    .query<{ names: string | null }>(
      host,
      `select case when not pg_is_in_recovery() then current_setting('synchronous_standby_names') end as names`,
    )
    .then(
      ([row]) => row?.names,
      () => undefined,
    )

/** Empties the setting by hand. No payout that is sent then may be accepted by this server. */
async function requireNoStandby(context: FaultContext): Promise<Release> {
  const { query, roles, timeline, nodes } = clusterOf(context)
  const change = async (host: Host, statement: string): Promise<void> => {
    await query(host, `alter system ${statement}`)
    await query(host, 'select pg_reload_conf()')
  }
  const { load, report } = context
  let before = 0
  const host = await until('the server requires no standby', async () => {
    const { primary } = await roles()
    before = await timeline().catch(() => 0)
    await isDone(change(primary.host, "set synchronous_standby_names = ''"))
    return (await namesOf(context, primary.host)) === '' && primary.host
  })
  const since = performance.now()
  /** With another fault the server may be the primary no more. */
  const isSame = async (): Promise<boolean> =>
    (await timeline().catch(() => undefined)) === before && (await namesOf(context, host)) === ''
  const noticed = measureNotice(context, since, isSame)
  return async () => {
    context.say(`  ${await noticed}`)
    await until('payouts are refused', async () => load.sentSince(since).refused >= refusals || !(await isSame()))
    const { accepted } = load.sentSince(since)
    if (accepted > 0 && (await isSame()))
      report(`${accepted} payouts were accepted while the server required no standby`)
    // The setting is copied to a server that is rewound, or made anew.
    for (const node of nodes)
      await until('the setting is reset', () => isDone(change(node.host, 'reset synchronous_standby_names')))
  }
}

/** Measures until no API is ready, and until each process has raised the alert; a server that is another one ends both. */
async function measureNotice(
  { system: { apis, programs } }: FaultContext,
  since: number,
  isSame: () => Promise<boolean>,
): Promise<string> {
  const raised = (text: string): number => text.split('STANDBY_NOT_REQUIRED').length
  const before = programs.map((program) => raised(program.output()))
  const isReady = async ({ inbound }: (typeof apis)[number]): Promise<boolean> =>
    inbound !== undefined && (await fetch(`${baseOf(inbound)}/readyz`).catch(() => undefined))?.ok === true
  const elapsed = async (what: string, isMet: () => Promise<boolean>): Promise<string> => {
    await until(what, async () => (await isMet()) || !(await isSame()))
    return `${what} after ${Math.round(performance.now() - since)} ms`
  }
  const times = await Promise.all([
    elapsed('no API is ready', async () => !(await Promise.all(apis.map(isReady))).includes(true)),
    elapsed('each process has raised the alert', async () =>
      programs.every((program, place) => raised(program.output()) > (before[place] ?? 0)),
    ),
  ])
  return times.join(', ')
}

/** Starts the primary without its standbys. It may accept nothing until they return. */
async function startAlone(context: FaultContext): Promise<Release> {
  const { primary, standby, other } = await clusterOf(context).roles()
  const startStandbys = all(await Promise.all([standby, other].map((node) => node.lose())))
  const since = performance.now()
  await (
    await primary.lose()
  )()
  await until('the lone server answers', async () => (await namesOf(context, primary.host)) !== undefined)
  return async () => {
    const [{ accepted }, names] = [context.load.sentSince(since), await namesOf(context, primary.host)]
    await startStandbys()
    if (accepted > 0 || names === '') context.report(`a lone primary with “${names}” accepted ${accepted} payouts`)
  }
}

/** Upgrades the cluster; in half of the runs the new primary is killed before it has a standby. */
async function upgradePostgres(context: FaultContext): Promise<Heal> {
  const { system, report, say } = context
  const isKilled = oneOf([true, false], context)
  const cluster = clusterOf(context)
  const times: string[] = []
  let stoppedAt = performance.now()
  const reached = (what: string): unknown => times.push(`${what} after ${Math.round(performance.now() - stoppedAt)} ms`)
  // An answer 201 may repeat a payout of before.
  const countPayouts = async (host: Host): Promise<number> =>
    (await cluster.query<{ count: number }>(host, 'select count(*)::int as count from quipu.payout'))[0]?.count ?? 0
  let before = 0
  await cluster.upgrade(async (step, primary) => {
    if (step === 'stopped') stoppedAt = performance.now()
    reached(step)
    if (step !== 'alone') return
    before = await countPayouts(primary.host)
    if (!isKilled) return
    await primary.killPostgres()
    reached('killed')
  })
  const paymentsAt = async ({ inbound }: (typeof system.apis)[number]): Promise<string | undefined> => {
    const answer = inbound && (await fetch(`${baseOf(inbound)}/readyz`).catch(() => undefined))
    return answer?.ok === true ? ((await answer.json()) as { payments: string }).payments : undefined
  }
  const payments = await Promise.all(
    system.apis.map((api) => until('an API reads the new cluster', () => paymentsAt(api))),
  )
  reached(payments.join(' and '))
  const begun = (await countPayouts(cluster.proxy.host)) - before
  if (begun > 0 || payments.some((each) => each !== 'halted'))
    report(`${begun} payouts began before the new cluster was confirmed`, 'not_halted')
  await confirmRestore(system.database.url(), 'pg_upgrade', new Date())
  reached('confirmed')
  say(`  ${times.join(', ')}`)
  return none
}
