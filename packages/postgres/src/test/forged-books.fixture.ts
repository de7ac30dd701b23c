import { builders } from '@quipu/contracts'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { postgresStores } from '../stores.ts'
import { asProcess, makeProcessRole, migrateForTests, type Sql, sqlOf } from './stores.fixture.ts'
import { writeBooks } from './books.fixture.ts'

/**
 * The books of `books.fixture.ts`, in which the checks find nothing. Tests call their records by labels: `{paid of A}` in
 * SQL is the id of that payout, and so is `paid of A` in a difference.
 */
export type ForgedBooks = {
  /** Runs a statement as a superuser. */
  readonly sql: Sql
  /** Runs work in a transaction, and undoes it. */
  undone<T>(work: () => Promise<T>): Promise<T>
  /** Changes rows with triggers off, as a superuser can. */
  forge(text: string): Promise<void>
  /** Runs a slice of the ledger check that has all wallets, and their recheck. */
  checkLedger(size?: number): Promise<void>
  /** Checks the whole audit log. */
  checkAuditLog(size?: number): Promise<void>
  /** The open differences, each as "tenant kind subject: detail", sorted. */
  found(): Promise<readonly string[]>
  /** The findings of the ledger check after such a change, which it undoes. */
  foundAfter(text: string): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openForgedBooks(): Promise<ForgedBooks> {
  const { url, drop } = await testDatabase({ templateName: 'quipu_books', migrate: writeTemplate })
  const client = new pg.Client(url)
  await client.connect()
  const rows = await sqlOf(client)('select label, id from label')
  const labels = new Map(rows.map(({ label, id }) => [String(label), String(id)]))
  const withIds = (text: string): string =>
    text.replaceAll(/\{([^{}"]+)\}/g, (all, label: string) => labels.get(label) ?? all)
  // Longer labels first: a wallet's id is no part of another one.
  const withLabels = (text: string): string =>
    Array.from(labels).reduce((done, [label, id]) => done.replaceAll(id, label), text)
  const sql: Sql = (text, values) => sqlOf(client)(withIds(text), values)
  const books: Omit<ForgedBooks, 'foundAfter'> = {
    sql,
    undone: async (work) => {
      await sql('begin')
      try {
        return await work()
      } finally {
        await sql('rollback')
      }
    },
    forge: async (text) => {
      await sql(`set local session_replication_role = replica; ${text};
        set local session_replication_role = origin`)
    },
    checkLedger: async (size = 100) => {
      await sql(`select quipu.check_ledger(10, ${size}, 0)`)
    },
    checkAuditLog: async (size = 1000) => {
      let last: unknown[] = [0, Buffer.alloc(32)]
      while (last[0] !== null) {
        const after = [...last, size]
        const [row] = await sql('select * from quipu.check_audit_log($1, $2, $3)', after)
        last = [row?.['last_id'], row?.['last_hash']]
      }
    },
    found: async () => {
      const rows = await sql(`
        select concat_ws(' ', tenant_id, kind, subject) || ': ' || detail as text
        from quipu.difference where status = 'open'`)
      return rows.map(({ text }) => withLabels(String(text))).toSorted()
    },
    close: async () => {
      await client.end()
      await drop()
    },
  }
  return {
    ...books,
    foundAfter: (text) =>
      books.undone(async () => {
        await books.forge(text)
        await books.checkLedger()
        return books.found()
      }),
  }
}

/** Migrates the database of which all others are copies, and writes the books and their labels. */
async function writeTemplate(url: string): Promise<void> {
  await migrateForTests(url)
  await makeProcessRole(url)
  let now = new Date('2026-04-01T00:00:00Z')
  const stores = postgresStores({ url: asProcess(url), clockOverride: () => now })
  const client = new pg.Client(url)
  await client.connect()
  const sql = sqlOf(client)
  await sql('create table label (label text, id text)')
  const named: [string, string][] = []
  try {
    await writeBooks({
      harness: { ...builders(stores), stores, sql },
      now: () => now,
      name: (label, id) => {
        if (label !== '') named.push([label, id])
        now = new Date(now.getTime() + 1_000)
        return id
      },
    })
    for (const pair of named) await sql('insert into label values ($1, $2)', pair)
  } finally {
    await client.end()
    await stores.close()
  }
}
