import { stat } from 'node:fs/promises'
import path from 'node:path'
import { createDatabase, createLogin, type PostgresServer, StartError, startPostgres } from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import type { Secrets } from './data-folder/secrets.ts'
import { type Ports, refuseTakenPorts } from './ports.ts'
import { StartRefusal } from './start-refusal.ts'

const postgresFolder = (dataDir: string): string => path.join(dataDir, 'postgres')

/** Whether the data folder has no database yet. */
export const isNew = (dataDir: string): Promise<boolean> =>
  stat(postgresFolder(dataDir)).then(
    () => false,
    () => true,
  )

/** @throws StartRefusal if the port is in use, StartError otherwise */
export async function openPostgres(dataDir: string, { postgres: port }: Ports) {
  const options = { dataDir: postgresFolder(dataDir), durability: 'full', port } as const
  try {
    return await startPostgres(options)
  } catch (error) {
    if (error instanceof StartError) await refuseTakenPorts([port])
    throw error
  }
}

const duplicateDatabase = '42P04'

export type LocalDatabase = {
  /** For the superuser, who runs migrations. */
  readonly url: string
  /** For the role of API and worker. */
  readonly processUrl: string
}

/** Creates the database and its role if missing, and runs the pending migrations. */
export async function openDatabase(
  postgres: PostgresServer,
  { database_password: password }: Secrets,
  cell: string | undefined,
): Promise<LocalDatabase> {
  const name = 'quipu'
  await createDatabase(postgres, name).catch((error: unknown) => {
    const exists = error instanceof Error && 'code' in error && error.code === duplicateDatabase
    if (!exists) throw error
  })
  const url = postgres.urlFor(name)
  await migrate(url, { cell }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartRefusal(
      `The database in ${postgres.dataDir} cannot be migrated: ${reason}.\n` +
        'To start with an empty database, remove the data folder.',
      { cause },
    )
  })
  const login = { name: 'quipu_app', password, memberOf: 'quipu_process' }
  return { url, processUrl: await createLogin(url, login) }
}
