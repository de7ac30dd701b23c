import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Program, runCommand, until } from '@quipu/local/testing'
import { type PatroniCluster } from '../patroni/cluster.ts'
import { password } from '../patroni/node.ts'
import type { PatroniPrograms } from '../patroni/programs.ts'
import { runSql } from '../run/run-sql.ts'

/** An asynchronous standby on HAProxy's host, which follows the primary of the moment through it. */
export type Copy = AsyncDisposable & {
  /** For the superuser, and for the processes' role. */
  readonly url: string
  readonly roleUrl: string
  /** Makes it anew when it is a standby that does not stream: it is ahead of a primary that took over. */
  revive(): Promise<void>
  /** How far it has come, and what it waits for. */
  state(): Promise<string>
}

const state = `select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as replayed, r.status, r.flushed_lsn::text as received,
    r.latest_end_lsn::text as latest, array(select concat_ws(' ', backend_type, wait_event_type, wait_event, state, left(query, 60))
      from pg_stat_activity where pid <> pg_backend_pid()) as processes
  from (select) one left join pg_stat_wal_receiver r on true`

/** Longer than a walreceiver waits before it connects again. */
const reconnectMs = 10_000
const port = 6432

/** @param folder  exists; PostgreSQL's user may write there */
export async function startCopy(patroni: PatroniCluster, programs: PatroniPrograms, folder: string): Promise<Copy> {
  const { host } = patroni.proxy
  const url = `postgres://postgres:${password}@${host.address}:${port}/quipu`
  const isAny = (condition: string): Promise<boolean> =>
    runSql({ connectionString: url, query_timeout: 5_000 }, `select where ${condition}`).then(
      (rows) => rows.length === 1,
      () => false,
    )
  const streams = async (): Promise<boolean> =>
    isAny(`not pg_is_in_recovery() or exists (
      select from pg_stat_wal_receiver where status = 'streaming' and received_tli = ${await patroni.timeline()})`)
  let program = await make(patroni, programs, folder)
  const untilStreaming = (): Promise<boolean> =>
    until(
      () => `the copy streams: ${program.output().slice(-2_000)}`,
      async () => (await streams()) || pause(200).then(() => false),
    )
  await untilStreaming()
  return {
    url,
    roleUrl: `postgres://quipu_app:choose%20one@${host.address}:${port}/quipu`,
    state: () =>
      runSql({ connectionString: url, query_timeout: 5_000 }, state).then((rows) => JSON.stringify(rows[0]), String),
    revive: async () => {
      for (const since = performance.now(); performance.now() - since < reconnectMs; await pause(500))
        if (await streams()) return
      await program.kill()
      program = await make(patroni, programs, folder)
      await untilStreaming()
    },
    [Symbol.asyncDispose]: () => program.kill(),
  }
}

/** Copies the primary, and starts the copy. */
async function make({ proxy, roles }: PatroniCluster, programs: PatroniPrograms, folder: string): Promise<Program> {
  const { host } = proxy
  const data = path.join(folder, 'copy')
  await rm(data, { recursive: true, force: true })
  const from = [`--host=${host.address}`, '--username=standby', `--pgdata=${data}`]
  const { primary } = await roles()
  const backUp = path.join(programs.postgres, 'pg_basebackup')
  await primary.runProgram([backUp, ...from, '--checkpoint=fast', '--write-recovery-conf'])
  const settings = {
    listen_addresses: host.address,
    port,
    unix_socket_directories: folder,
    cluster_name: 'copy',
    archive_mode: 'off',
    synchronous_standby_names: '',
    max_connections: 200,
    wal_retrieve_retry_interval: '200ms',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [...host.prefix, path.join(programs.postgres, 'postgres'), '-D', data, ...options]
  return runCommand('the copy', { command, env: {}, cwd: '/' })
}
