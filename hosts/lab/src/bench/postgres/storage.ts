import type pg from 'pg'

/** Bytes of write-ahead log that the server has written. */
export async function walBytes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)
  return Number(rows[0]?.bytes)
}

/** Bytes of all tables on disk, with indexes and TOAST. */
export async function tableBytes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(oid)) as bytes from pg_class
     where relnamespace = 'quipu'::regnamespace and relkind = 'r'`,
  )
  return Number(rows[0]?.bytes)
}

/** Flushes of the write-ahead log that the server has made. */
export async function walFlushes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ fsyncs: string }>(
    `select coalesce(sum(fsyncs), 0) as fsyncs from pg_stat_io where object = 'wal'`,
  )
  return Number(rows[0]?.fsyncs)
}

/** Pages of tables and indexes that sessions have used so far, from the buffers or not. A session counts its own when it ends. */
export async function pagesUsed(db: pg.Client): Promise<number> {
  await db.query('select pg_stat_force_next_flush()')
  const { rows } = await db.query<{ pages: string }>(
    `select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)
       + coalesce(toast_blks_hit + toast_blks_read + tidx_blks_hit + tidx_blks_read, 0)) as pages
     from pg_statio_user_tables where schemaname = 'quipu'`,
  )
  return Number(rows[0]?.pages)
}

/** Tables of at least this many rows are big. */
const bigRows = 10_000

export type SequentialScans = { readonly scans: number; readonly rows: number }

/**
 * Sequential scans of each big table so far, and the rows that they read. A session counts its own within a second of
 * its last statement, or when it ends. Leaves out `payout_lease` and `delivery_signal`: claims scan them, and their rows
 * live for seconds.
 */
export async function sequentialScans(db: pg.Client): Promise<ReadonlyMap<string, SequentialScans>> {
  await db.query('select pg_stat_force_next_flush()')
  const { rows } = await db.query<SequentialScans & { relname: string }>(
    `select s.relname, s.seq_scan::float8 as scans, s.seq_tup_read::float8 as rows
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = 'quipu' and c.reltuples >= $1 and s.relname <> all ('{payout_lease,delivery_signal}')`,
    [bigRows],
  )
  return new Map(rows.map(({ relname, ...scans }) => [relname, scans]))
}

/**
 * The scans of each table between two counts, without those of autovacuum: the summary of a range of a BRIN index counts
 * as a sequential scan, of the few thousand rows of the range.
 */
export function scansBetween(
  before: ReadonlyMap<string, SequentialScans>,
  after: ReadonlyMap<string, SequentialScans>,
): Record<string, number> {
  const made = Array.from(after, ([table, end]) => {
    const start = before.get(table) ?? end
    return { table, scans: end.scans - start.scans, rows: end.rows - start.rows }
  })
  const whole = made.filter(({ scans, rows }) => scans > 0 && rows / scans >= bigRows / 2)
  return Object.fromEntries(whole.map(({ table, scans }) => [table, scans]))
}
