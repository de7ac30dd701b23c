import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStores, type TestStores } from '../test/stores.fixture.ts'
import { openBatchConnections } from './batch-connection.ts'
import { type BatchProtocol, batchWriter } from './batch-writer.ts'
import { clientConfig } from '../connection/connection.ts'
import { type Database, openDatabase } from '../connection/database.ts'

let stores: TestStores
let database: Database
beforeAll(async () => {
  stores = await openTestStores()
  database = openDatabase({ url: stores.url })
})
afterAll(async () => {
  await database.close()
  await stores.close()
})

type Item = { readonly owner: string }

const good = (owner: string): Item => ({ owner })

/** A writer, and the owners of the items of each of its calls. */
function watchedWriter(over: Partial<BatchProtocol<Item, object, string>> = {}) {
  const calls: string[][] = []
  const protocol: BatchProtocol<Item, object, string> = {
    statement: { name: 'nothing', text: 'select $1::int' },
    encode: (items) => {
      calls.push(items.map(({ owner }) => owner))
      return [items.length]
    },
    resultOf: (_, place, { owner }) => `${owner}${place}`,
    readBack: async () => new Map(),
    ...over,
  }
  const connections = openBatchConnections(database, clientConfig({ url: stores.url }))
  const { write } = batchWriter(database, connections, protocol)
  const writeAll = (...items: readonly Item[]): Promise<string[]> => Promise.all(items.map(write))
  return { calls, writeAll, close: connections.close }
}

test('an item that cannot be encoded fails alone', async () => {
  const calls: string[][] = []
  const encode = (items: readonly Item[]) => {
    if (items.some(({ owner }) => owner === 'none')) throw new TypeError('no such owner')
    calls.push(items.map(({ owner }) => owner))
    return [items.length]
  }
  const { writeAll, close } = watchedWriter({ encode })
  const results = await Promise.allSettled(['a', 'none', 'b'].map(async (owner) => (await writeAll(good(owner)))[0]))
  expect(results).toMatchObject([{ value: 'a0' }, { reason: { message: 'no such owner' } }, { value: 'b0' }])
  expect(calls).toEqual([['a'], ['b']])
  await close()
})

test('an expired item is not sent, and the other items of its batch are', async () => {
  const { calls, writeAll, close } = watchedWriter({ isExpired: ({ owner }) => owner === 'late' })
  const [first, late, last] = await Promise.allSettled(
    ['a', 'late', 'b'].map(async (owner) => (await writeAll(good(owner)))[0]),
  )
  expect([first, last]).toMatchObject([{ value: 'a0' }, { value: 'b1' }])
  expect(late).toMatchObject({ reason: { name: 'Unavailable' } })
  expect(calls).toEqual([['a', 'b']])
  await close()
})
