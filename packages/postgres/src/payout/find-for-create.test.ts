import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { isLost } from '../connection/database-error.ts'
import type { Query } from '../connection/database.ts'
import { findForCreate } from './find-for-create.ts'

/** Three latest readings at once over a database that fails. */
async function failingWith(reason: Error): Promise<{ asked: number[]; errors: unknown[] }> {
  const asked: number[] = []
  const look: Query = async (_statement, [tenants]) => {
    asked.push((tenants as string[]).length)
    throw reason
  }
  const none = () => Promise.reject(new Error('not asked for'))
  const stall = { check: none, note: () => undefined }
  const database = {
    look,
    query: none,
    read: none,
    write: none,
    transaction: none,
    now: () => null,
    stall,
    close: none,
  }
  const find = findForCreate(database, none)
  const found = ['a', 'b', 'c'].map((id) =>
    find('ten_1', id, 'quote', 'latest').catch((caught: unknown) => caught),
  )
  return { errors: await Promise.all(found), asked }
}

test('a database outage fails all readings of a batch with one query', async () => {
  const gone = new Unavailable('store', 'timeout expired')
  expect(await failingWith(gone)).toEqual({ asked: [3], errors: [gone, gone, gone] })
})

test('a bug fails a batch, and then each of its readings is tried by itself', async () => {
  const bug = new Error('a value that is none')
  expect(await failingWith(bug)).toEqual({ asked: [3, 1, 1, 1], errors: [bug, bug, bug] })
})

test('a database that could not be reached in time is not taken for a connection that broke', () => {
  expect(isLost(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isLost(new Unavailable('store', 'timeout expired'))).toBe(false)
})
