import type pg from 'pg'

/** Bytes of write-ahead log that the server has written. */
export async function walBytes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes`,
  )
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
