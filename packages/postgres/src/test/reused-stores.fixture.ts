import type { Harness } from '@quipu/contracts'
import type pg from 'pg'
import { postgresStores } from '../stores.ts'
import { type migratedDatabase, openTestStores, testClient, type TestStores } from './stores.fixture.ts'

/** Databases that are emptied between tests instead of created anew. */
export type ReusedStores = {
  /** The stores of an empty database, with a clock that the test steps. */
  open(): Promise<Harness & Pick<TestStores, 'url'>>
  /** Drops the databases, after the last test has closed its stores. */
  drop(): Promise<void>
}

/** A database with a superuser's connection that empties it. */
type Kept = {
  readonly stores: TestStores
  readonly client: pg.Client
  /** Deletes all rows but `testOperatorTokens`, with triggers off, as these forbid it for some tables. */
  readonly emptying: string
  now: Date
}

const everything = `
  select string_agg(format('delete from %s%s', oid::regclass,
      case relname when 'operator_token' then ' where label <> ''test''' end), ';')
    filter (where relkind in ('r', 'p') and not relispartition and relname not in ('migration', 'test_clock', 'lineage', 'sign_in_key')) as rows,
    string_agg(format('select setval(%L, %s, false)', oid::regclass, seqstart), ';')
    filter (where relkind = 'S') as sequences
  from pg_class left join pg_sequence on seqrelid = oid
  where relnamespace = 'quipu'::regnamespace`

/**
 * Reuses databases: emptying one takes a fiftieth of the time of creating one.
 *
 * @param openStores opens the stores; those of this version by default
 * @param newDatabase  a database of the run's server by default
 */
export function reusedStores(
  openStores: typeof postgresStores = postgresStores,
  newDatabase?: typeof migratedDatabase,
): ReusedStores {
  const free: Kept[] = []
  return {
    async open() {
      const kept = free.pop() ?? (await openKept(openStores, newDatabase))
      kept.now = new Date('2026-04-01T00:00:00.000Z')
      return {
        ...kept.stores,
        advance: async (seconds) => {
          kept.now = new Date(kept.now.getTime() + seconds * 1000)
        },
        close: async () => {
          const { busy, waiting } = kept.stores.poolState()
          // A call could deadlock with the emptying, or write into the database of the next test.
          if (busy + waiting > 0)
            throw new Error('the test ended while its stores were working: let it wait for its calls')
          await kept.client.query(kept.emptying)
          free.push(kept)
        },
      }
    },
    async drop() {
      for (const { client, stores } of free) {
        await client.end()
        await stores.close()
      }
    },
  }
}

async function openKept(openStores: typeof postgresStores, newDatabase?: typeof migratedDatabase): Promise<Kept> {
  const clock = { now: new Date() }
  const stores = await openTestStores({ clockOverride: () => clock.now }, openStores, newDatabase)
  const client = testClient(stores.url)
  await client.connect()
  const { rows } = await client.query<{ rows: string; sequences: string }>(everything)
  const [found] = rows
  if (!found) throw new Error('the schema quipu has no tables')
  await client.query('set session_replication_role = replica')
  const unrevoked = 'update quipu.operator_token set revoked_at = null, revoked_by = null'
  const cursor = `insert into quipu.notice_cursor (entry_id, expiry, expiry_key) values (0, '-infinity', '')`
  // The stores' memory of rows that are gone is void.
  const unhalted = `update quipu.lineage set confirmations = confirmations + 1, halted_at = null,
    halt_reason = null, halt_detail = null, stopped_at = null, stopped_by = null, stop_reason = null`
  const emptying = `${found.rows};${found.sequences};${unrevoked};${cursor};${unhalted}`
  return Object.assign(clock, { stores, client, emptying })
}
