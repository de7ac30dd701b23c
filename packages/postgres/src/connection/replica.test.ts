import { usdt } from '@quipu/core'
import type { ReplicatedPostgres } from '@quipu/embedded-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { type PostgresStores, postgresStores } from '../stores.ts'
import { type Pair, startPair } from './standby-pair.fixture.ts'

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
  const [started, other] = [await startPair({ synchronous: false }), await startPair({ synchronous: false })]
  const unfit: [url: string, reason: string][] = [
    ['postgres://127.0.0.1:1/quipu', 'ECONNREFUSED'],
    [started.pair.primary.urlFor('quipu'), 'it is no standby'],
    [other.pair.standby.urlFor('quipu'), 'it is a standby of another cluster'],
  ]
  for (const [url, reason] of unfit) {
    const { stores, lists, changes } = withReplica(started.pair, url)
    await payAndList(started, stores)
    expect(lists).toEqual(['primary'])
    expect(changes).toEqual([expect.stringContaining(reason)])
  }
})
