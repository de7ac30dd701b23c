import type pg from 'pg'

/** How many bytes the server has written to its write-ahead log so far. */
export async function walBytes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes`,
  )
  return Number(rows[0]?.bytes)
}

/** What the tables take on disk, with their indexes and all else that belongs to them. */
export async function tableBytes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(oid)) as bytes from pg_class
     where relnamespace = 'quipu'::regnamespace and relkind = 'r'`,
  )
  return Number(rows[0]?.bytes)
}

/** How often the server has flushed its write-ahead log so far. */
export async function walFlushes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ fsyncs: string }>(
    `select coalesce(sum(fsyncs), 0) as fsyncs from pg_stat_io where object = 'wal'`,
  )
  return Number(rows[0]?.fsyncs)
}
