import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate } from '@quipu/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { statements } from './statements.ts'

test('the statements of chaos fit the tables', async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_chaos', migrate })
  const db = new pg.Client(url)
  await db.connect()
  for (const sql of [statements.endpointsBehind, statements.queuedDeliveries])
    expect((await db.query(sql, [['we_none']])).rows).toEqual([{ count: 0 }])
  expect((await db.query(statements.openPayouts, [new Date()])).rows).toEqual([{ count: 0 }])
  expect((await db.query(statements.openFor, [1])).rows).toEqual([])
  expect((await db.query(statements.makeDeliveriesDue, [['we_none']])).rowCount).toBe(0)
  await db.end()
  await drop()
})
