import { Unavailable, usdt } from '@quipu/core'
import { type ReplicatedPostgres, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type PostgresStores, postgresStores } from '../stores.ts'
import { nameStandbys, type Pair, sql, startAccepting, startPair, untilWaiting } from '../test/standby-pair.fixture.ts'

/** Stores whose lists a replica may answer, with what they report. */
function withReplica(pair: ReplicatedPostgres, url: string) {
  const lists: string[] = []
  const changes: (string | undefined)[] = []
  const stores = postgresStores({
    url: pair.address.urlFor('quipu'),
    replica: { url, changed: (reason) => void changes.push(reason) },
    observer: {
      batchWritten: () => undefined,
      connectionTaken: () => undefined,
      listRead: (server) => void lists.push(server),
    },
  })
  onTestFinished(() => stores.close())
  return { stores, lists, changes }
}

/** Creates a payout, and expects it in the tenant's list at once. */
async function payAndList({ newWallet, newQuote, newPayout }: Pair, stores: PostgresStores): Promise<void> {
  const tenantId = await newWallet(usdt(10n))
  const { id, transactionId } = await newPayout(await newQuote(tenantId, { source: usdt(1n) }))
  const found = await stores.payouts.list(tenantId, { limit: 10, transactionId })
  expect(found.items.map((payout) => payout.id)).toEqual([id])
  expect(await stores.payouts.get(tenantId, id)).toBeDefined()
}

test('a replica answers lists with all that the primary has, and the primary while its replay is paused', async () => {
  const started = await startPair({ synchronous: false })
  const { stores, lists, changes } = withReplica(started.pair, started.pair.standby.urlFor('quipu'))
  await expect.poll(() => payAndList(started, stores).then(() => lists.at(-1))).toBe('replica')
  expect(changes.filter((change) => change !== undefined).length).toBeLessThanOrEqual(1)

  await started.pair.replay.pause()
  await payAndList(started, stores)
  await payAndList(started, stores)
  expect(lists.slice(-2)).toEqual(['primary', 'primary'])
  expect(changes.at(-1)).toBe('it is more than 250 ms behind the primary')
  const before = changes.length

  await started.pair.replay.resume()
  await expect.poll(() => payAndList(started, stores).then(() => lists.at(-1))).toBe('replica')
  expect(changes.slice(before)).toEqual([undefined])
})

test('a replica that is down, no standby, or of another cluster is not read', async () => {
  const started = await startPair({ synchronous: false })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-other-'))
  await using other = await startReplicatedPostgres({ dataDir, synchronous: false })
  const unfit: [url: string, reason: string][] = [
    ['postgres://127.0.0.1:1/quipu', 'ECONNREFUSED'],
    [started.pair.primary.urlFor('quipu'), 'it is no standby'],
    [other.standby.url, 'it is a standby of another cluster'],
  ]
  for (const [url, reason] of unfit) {
    const { stores, lists, changes } = withReplica(started.pair, url)
    await payAndList(started, stores)
    expect(lists).toEqual(['primary'])
    expect(changes).toEqual([expect.stringContaining(reason)])
  }
})

test('a list with a commit that waits is no answer, also where an asynchronous replica has replayed it', async () => {
  const started = await startAccepting({ synchronous: false, statementTimeoutMs: 900_000, standbyWaitMs: 900_000 })
  const { pair, tenantId, write } = started
  const { stores, lists } = withReplica(pair, pair.standby.urlFor('quipu'))
  await expect.poll(() => payAndList(started, stores).then(() => lists.at(-1))).toBe('replica')
  await nameStandbys(pair, 'other')
  const committed = started.stores.payouts.commit(write)
  await untilWaiting(pair)
  const read = stores.payouts.list(tenantId, { limit: 10 })
  await untilWaiting(pair, 2) // The replica has answered, and the primary confirms.
  expect(lists.at(-1)).toBe('replica')
  const ended = Promise.allSettled([committed, read])
  await pair.primary.kill()
  for (const work of await ended)
    expect(work).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) as Unavailable })
})

test('a standby of an older timeline is not read, however long its log is', async () => {
  const started = await startPair({ synchronous: false })
  const { pair, newWallet, newQuote, newPayout } = started
  const tenantId = await newWallet(usdt(10n))
  const { id } = await newPayout(await newQuote(tenantId, { source: usdt(1n) }))
  await pair.replication.untilCaughtUp()
  pair.replication.stall()
  // A log of its own, longer than that of the next primary.
  await sql(pair, `select pg_logical_emit_message(false, 'test', repeat('x', 20000000)), pg_switch_wal()`)
  const [{ data_directory: folder } = {}] = await sql(pair, 'show data_directory')
  await pair.primary.kill()
  await pair.promote()
  pair.address.pointTo(pair.standby)
  await writeFile(path.join(String(folder), 'standby.signal'), '')
  await pair.primary.start()
  const { stores, lists, changes } = withReplica(pair, pair.primary.urlFor('quipu'))
  const { items } = await stores.payouts.list(tenantId, { limit: 10 })
  expect(items.map((payout) => payout.id)).toEqual([id])
  expect(lists).toEqual(['primary'])
  expect(changes).toEqual(['it has not replayed the timeline of the primary'])
})
