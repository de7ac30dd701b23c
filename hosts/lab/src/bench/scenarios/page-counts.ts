import { setTimeout as pause } from 'node:timers/promises'
import { postgresStores } from '@quipu/postgres'
import type pg from 'pg'
import { pagesUsed } from '../postgres/storage.ts'
import { rounded } from '../report/statistics.ts'
import { type Grown, type Read, storeReadsOf } from './growth-reads.ts'

/** How often a read is repeated to count its pages. The first time also plans its statements. */
export const countedTimes = 20

/**
 * Counts the pages of tables and indexes that each read of the stores uses: why it takes longer in one database than in
 * another. Each read has sessions of its own, as a session counts its pages when it ends.
 */
export async function countPages(grown: Grown): Promise<Readonly<Record<string, number>>> {
  const names = await withReads(grown, async (reads) => Object.keys(reads))
  const counts: [string, number][] = []
  for (const name of names) {
    const { db } = grown.database
    await withReads(grown, async ({ [name]: read }) => read?.before?.())
    const before = await pagesUsed(db)
    await withReads(grown, async ({ [name]: read }) => {
      for (let n = 0; n < countedTimes; n++) await read?.run()
    })
    counts.push([name, rounded(((await pagesUsed(db)) - before) / countedTimes, 1)])
  }
  return Object.fromEntries(counts)
}

/** Waits until the sessions of the stores have ended. */
async function withReads<T>(grown: Grown, use: (reads: Readonly<Record<string, Read>>) => Promise<T>): Promise<T> {
  const { db, url } = grown.database
  const stores = postgresStores({ url })
  try {
    return await use(await storeReadsOf(grown, stores))
  } finally {
    await stores.close()
    await sessionsEnd(db)
  }
}

async function sessionsEnd(db: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query(
      `select from pg_stat_activity where datname = current_database() and usename = 'quipu_app'`,
    )
    if (rowCount === 0) return
    await pause(20)
  }
}
