import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { isLost } from '../connection/database-error.ts'
import type { Query } from '../connection/database.ts'
import { findForCreate } from './find-for-create.ts'

/** Three concurrent `latest` readings over a database that fails: the size of each query, and the errors. */
async function failingWith(reason: Error): Promise<{ sizes: number[]; errors: unknown[] }> {
  const sizes: number[] = []
  const readLatest: Query = async (_statement, [tenants]) => {
    sizes.push((tenants as string[]).length)
    throw reason
  }
  const none = () => Promise.reject(new Error('not used by a latest reading'))
  const stall = { check: none, recordFailure: () => undefined }
  const database = {
    readLatest,
    query: none,
    read: none,
    write: none,
    transaction: none,
    clockOverride: () => null,
    stall,
    observer: { batchWritten: () => undefined, connectionTaken: () => undefined },
    poolState: () => ({ busy: 0, idle: 0, waiting: 0, size: 1 }),
    close: none,
  }
  const find = findForCreate(database, none)
  const found = ['a', 'b', 'c'].map((id) =>
    find('ten_1', id, 'quote', 'latest').catch((caught: unknown) => caught),
  )
  return { errors: await Promise.all(found), sizes }
}

test('a database outage fails all readings of a batch with one query', async () => {
  const gone = new Unavailable('store', 'timeout expired')
  expect(await failingWith(gone)).toEqual({ sizes: [3], errors: [gone, gone, gone] })
})

test('after a bug in a batch each of its readings is sent singly', async () => {
  const bug = new Error('a value that is none')
  expect(await failingWith(bug)).toEqual({ sizes: [3, 1, 1, 1], errors: [bug, bug, bug] })
})

test('a connect time-out does not count as a lost connection', () => {
  expect(isLost(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isLost(new Unavailable('store', 'timeout expired'))).toBe(false)
})
