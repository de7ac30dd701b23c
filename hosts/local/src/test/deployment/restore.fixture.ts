import { createDatabase, type PostgresServer, startPostgres } from '@quipu/embedded-postgres'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { until } from '../harness/process.fixture.ts'
import { migrateWithOperators } from '../harness/tenant.fixture.ts'

/** A server that archives its log, with the application's database. */
export type ArchivedServer = {
  readonly url: string
  /** Copies the running server's folder. */
  baseBackup(): Promise<void>
  /** The server's time, after everything that was committed so far. */
  instant(): Promise<string>
  /** Stops the server, and starts one from the backup and the archive, as of the instant. @returns its URL */
  restoreTo(instant: string): Promise<string>
}

/** The folder of PostgreSQL 18 in a data folder. */
const homeIn = (dataDir: string): string => path.join(dataDir, '18')

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

export async function startArchivedServer(resources: AsyncDisposableStack): Promise<ArchivedServer> {
  const root = await mkdtemp(path.join(tmpdir(), 'quipu-restore-'))
  resources.defer(() => rm(root, { recursive: true, force: true, maxRetries: 20 }))
  const [dataDir, restored, archive] = ['first', 'restored', 'archive'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(archive)
  await chmod(archive, 0o777) // PostgreSQL may run as another user.
  await chmod(root, 0o755)
  const start = async (folder: string, settings: Record<string, string>): Promise<PostgresServer> =>
    resources.adopt(await startPostgres({ dataDir: folder, durability: 'none', settings }), (it) => it.stop())
  const archiving = { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` }
  const server = await start(dataDir, archiving)
  await createDatabase(server, 'quipu')
  const url = server.urlFor('quipu')
  await migrateWithOperators(url)

  return {
    url,
    baseBackup: () => copyRunning(url, homeIn(dataDir), homeIn(restored)),
    instant: async () => (await query<{ now: string }>(url, 'select clock_timestamp()::text as now'))[0]?.now ?? '',
    async restoreTo(instant) {
      await untilArchived(url)
      await server.stop()
      await writeFile(path.join(homeIn(restored), 'cluster/recovery.signal'), '')
      const second = await start(restored, {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: instant,
        recovery_target_action: 'promote',
      })
      const own = second.urlFor('quipu')
      await until('the restored server accepts writes', async () => {
        const [row] = await query<{ waits: boolean }>(own, 'select pg_is_in_recovery() as waits')
        return row?.waits === false
      })
      return own
    },
  }
}

/** Copies a running server's folder, which needs no pause: what pg_basebackup does. */
async function copyRunning(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`select pg_backup_start('base', true)`)
  const notCopied = ['postmaster.pid', 'postmaster.opts', 'socket-folder', 'postgres.log']
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !notCopied.includes(path.basename(file)),
  })
  const { rows } = await client.query<{ labelfile: string }>('select * from pg_backup_stop()')
  await client.end()
  await writeFile(path.join(to, 'cluster/backup_label'), rows[0]?.labelfile ?? '')
}

async function untilArchived(url: string): Promise<void> {
  const [{ file } = { file: '' }] = await query<{ file: string }>(
    url,
    'select pg_walfile_name(pg_switch_wal()) as file',
  )
  const archived = `select last_archived_wal >= '${file}' as is_archived from pg_stat_archiver`
  await until('the log is archived', async () => {
    const [row] = await query<{ is_archived: boolean | null }>(url, archived)
    return row?.is_archived === true
  })
}
