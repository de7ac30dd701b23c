import { copyFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { until } from '@quipu/local/testing'
import type { PatroniNode } from './node.ts'
import type { PatroniPrograms } from './programs.ts'

/** When every node has stopped, when the folder is another cluster, and when its primary runs, without a standby. */
export type UpgradeStep = 'stopped' | 'upgraded' | 'alone'

export type Upgrade = {
  readonly primary: PatroniNode
  readonly standbys: readonly PatroniNode[]
  readonly programs: PatroniPrograms
  /** Makes the archive empty: the new cluster archives files of the same names as the old one. */
  readonly emptyArchive: () => Promise<void>
  readonly reached: (step: UpgradeStep, primary: PatroniNode) => unknown
}

/** Walks docs/operations/failover.md, from one version 18 to another. */
export async function upgradePostgres(upgrade: Upgrade): Promise<void> {
  const { primary, standbys, programs, emptyArchive, reached } = upgrade
  const { data } = primary
  const [bin, made] = [programs.postgres, `${data}-new`]
  const program = (name: string): string => path.join(bin, name)
  const initdb = [program('initdb'), `--pgdata=${made}`, '--username=postgres', '--encoding=UTF8', '--data-checksums']
  const folders = [`--old-bindir=${bin}`, `--new-bindir=${bin}`, `--old-datadir=${data}`, `--new-datadir=${made}`]
  const pgUpgrade = [program('pg_upgrade'), '--link', '--username=postgres', ...folders]
  await primary.runProgram(initdb)
  await primary.runProgram([...pgUpgrade, '--check'])
  // First the standbys: Patroni would promote one.
  const startStandbys = await Promise.all(standbys.map((node) => node.shutDown()))
  const start = await primary.shutDown()
  await reached('stopped', primary)
  await primary.runProgram(pgUpgrade)
  // Settings of `patronictl edit-config`, which leave etcd with the old cluster.
  await copyFile(path.join(data, 'patroni.dynamic.json'), path.join(made, 'patroni.dynamic.json'))
  await rename(data, `${data}-old`)
  await rename(made, data)
  await primary.removeCluster()
  await emptyArchive()
  await reached('upgraded', primary)
  await start()
  // Before, a node without a folder would make a cluster that is empty.
  await until('the primary leads', async () =>
    (await primary.cluster())?.some(({ role, state }) => role === 'leader' && state === 'running'),
  )
  await reached('alone', primary)
  for (const node of standbys) await node.rebuild((text) => text)
  for (const startStandby of startStandbys) await startStandby()
  await rm(`${data}-old`, { recursive: true })
}
