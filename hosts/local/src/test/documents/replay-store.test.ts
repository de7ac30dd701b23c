import { type ReplayStore } from '@quipu/client'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { readDocument } from './documents.fixture.ts'

const { text } = readDocument('packages/client/README.md')

/** The statement in the README's table of `ReplayStore`, by the first cell of its row. */
function statementOf(name: string): string {
  const [, row = ''] = text.split(`\n| ${name} | `)
  const [, statement] = /^`([^`]+)`/.exec(row) ?? []
  if (statement === undefined) throw new Error(`the README has no statement of ${name}`)
  return statement
}

/** The store that the README describes, on its own table in a new database. */
async function openStore(): Promise<{ readonly store: ReplayStore; readonly pool: pg.Pool }> {
  const { url } = await testDatabase({
    templateName: 'replay_store',
    migrate: async (draft) => {
      const client = new pg.Client(draft)
      await client.connect()
      await client.query(statementOf('its table'))
      await client.end()
    },
  })
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  // The database stays until the end of the run: its sockets may close after the pool has ended.
  onTestFinished(() => pool.end())
  const store: ReplayStore = {
    async claim(id) {
      const claimed = await pool.query(statementOf('`claim(id)`'), [id])
      if (claimed.rows.length > 0) return 'claimed'
      const { rows } = await pool.query<{ handled: boolean }>(statementOf('`claim(id)` without a row'), [id])
      return rows[0]?.handled ? 'handled' : 'busy'
    },
    complete: async (id) => void (await pool.query(statementOf('`complete(id)`'), [id])),
    release: async (id) => void (await pool.query(statementOf('`release(id)`'), [id])),
  }
  return { store, pool }
}

test('the statements of the README claim an event once, until it is released', async () => {
  const { store } = await openStore()
  const claims = await Promise.all(Array.from({ length: 8 }, () => store.claim('a')))
  expect(claims.toSorted()).toEqual([...Array<string>(7).fill('busy'), 'claimed'])
  await store.release('a')
  expect([await store.claim('a'), await store.claim('a')]).toEqual(['claimed', 'busy'])
  await store.complete('a')
  expect(await store.claim('a')).toBe('handled')
  await store.release('a')
  expect([await store.claim('a'), await store.claim('b')]).toEqual(['handled', 'claimed'])
})

test('a claim whose process has ended ends after a minute, a handled event never', async () => {
  const { store, pool } = await openStore()
  const age = (seconds: number) =>
    pool.query(`update quipu_event set claimed_at = now() - make_interval(secs => $1)`, [seconds])
  expect(await store.claim('a')).toBe('claimed')
  await age(50)
  expect(await store.claim('a')).toBe('busy')
  await age(70)
  const claims = await Promise.all(Array.from({ length: 8 }, () => store.claim('a')))
  expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1)
  await store.complete('a')
  await age(86_400)
  expect(await store.claim('a')).toBe('handled')
})
