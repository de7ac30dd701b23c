import { onTestFinished } from 'vitest'
import { doesWait, openOtherSession } from './other-session.fixture.ts'
import type { Sql, StoreHarness } from './stores.fixture.ts'
import { named, withIds } from './row-changes.fixture.ts'

/** The tables whose rows calls lock, each with what identifies a row. */
const tables = {
  wallet: 'tenant_id',
  webhook_endpoint: 'id',
  delivery_cursor: 'endpoint_id',
  delivery_run: `endpoint_id || ' ' || first_seq`,
  delivery_open: `endpoint_id || ' ' || event_id`,
} as const

const entries = Object.entries(tables)
const everyKey = entries.map(([table, key]) => `select '${table} ' || ${key} from quipu.${table}`)
const lockedKeys = `
  with ${entries
    .map(
      ([table, key]) => `
        free_${table} as materialized (
          select '${table} ' || ${key} as key from quipu.${table} for no key update skip locked
        )`,
    )
    .join(',')}
  select key from (${everyKey.join(' union all ')}) every_row (key)
  except (${entries.map(([table]) => `select key from free_${table}`).join(' union all ')})`

/** The rows that transactions have locked. */
export async function lockedRows({ sql }: StoreHarness): Promise<readonly string[]> {
  const rows = await sql(lockedKeys)
  return rows.map(({ key }) => named(String(key))).toSorted()
}

/** A session in a transaction, which the end of the test rolls back unless it is committed. */
export async function openTransaction({ stores }: StoreHarness): Promise<Sql> {
  const session = await openOtherSession(stores.url)
  onTestFinished(() => session[Symbol.asyncDispose]())
  const { sql } = session
  await sql('begin')
  return (text, values) => sql(withIds(text), values)
}

/** Runs a statement up to where it waits for a lock. @returns its rows, once it has the lock */
export async function startWaiting(
  harness: StoreHarness,
  session: Sql,
  text: string,
): Promise<{ readonly done: Promise<Record<string, unknown>[]> }> {
  const done = session(text)
  if (!(await doesWait(harness.sql, done))) throw new Error(`does not wait: ${text}`)
  return { done }
}
