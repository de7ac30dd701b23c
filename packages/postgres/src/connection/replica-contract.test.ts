/** @module-tag long */
import { readContracts } from '@quipu/contracts'
import { createDatabase, type ReplicatedPostgres, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type PostgresOptions, type PostgresStores, postgresStores } from '../stores.ts'
import { reusedStores } from '../test/reused-stores.fixture.ts'
import { makeProcessRole, migrateForTests } from '../test/stores.fixture.ts'
import { withConnection } from './connection.ts'

let pair: ReplicatedPostgres
const lists = { replica: 0, primary: 0 }
let databases = 0

/** Stores of a database of the pair, whose lists the standby answers. */
function withReplica({ url, ...options }: PostgresOptions): PostgresStores {
  const { pathname, username } = new URL(url as string)
  const at = Object.assign(new URL(pair.standby.url), { pathname, username })
  return postgresStores({
    ...options,
    url,
    replica: { url: at.href },
    observer: {
      batchWritten: () => undefined,
      connectionTaken: () => undefined,
      listRead: (server) => void (lists[server] += 1),
    },
  })
}

const { open, drop } = reusedStores(withReplica, async () => {
  const name = `quipu_${(databases += 1)}`
  await createDatabase(pair.primary, name)
  const url = pair.primary.urlFor(name)
  await migrateForTests(url)
  await makeProcessRole(url)
  await pair.replication.untilCaughtUp()
  // The standby writes pages, and with them the timeline that it has replayed.
  for (const server of [pair.primary, pair.standby])
    await withConnection(server.url, (client) => client.query('checkpoint'))
  return { url, drop: async () => undefined }
})

beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-replica-'))
  pair = await startReplicatedPostgres({ dataDir, synchronous: false })
})
afterAll(async () => {
  expect(lists.replica).toBeGreaterThan(0)
  await drop()
  await pair.stop()
})

readContracts('PostgreSQL with a replica', open, { runs: 5 })
