import 'reflect-metadata'
import { checkpointBalances } from '@quipu/postgres'
import { whole } from '../run/options.ts'
import { mustBeZero, type Report } from '../run/report.ts'
import { subjectOf } from '../run/subject.ts'
import { makeHistory } from './data/history.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { type BenchDatabase, withBenchServer } from './postgres/bench-database.ts'
import { tableBytes } from './postgres/storage.ts'
import { treeCpu } from './report/cpu.ts'
import { rounded } from './report/statistics.ts'
import { claimSize } from './scenarios/due-work.ts'
import { startApiProcess, measureHttp } from './scenarios/http.ts'
import { measureGrowth } from './scenarios/growth.ts'
import type { Grown } from './scenarios/growth-reads.ts'
import { dropMonthUnderLoad } from './scenarios/month.ts'

// Autovacuum is on, as in production.
const settings = { shared_buffers: '1GB', max_wal_size: '8GB' }

/**
 * The same requests to a database with few payouts and to one with many. A ratio of 1 is no growth.
 *
 * The tenant with the longest log has half of the payouts. In both databases its last balance checkpoint is then 5,000
 * entries ago, the mean: the time of its reconciliation depends on that number alone.
 */
export const subject = subjectOf(
  {
    few: whole('payouts of the small database; of equal work with as many modulo 20,000 as --many', {
      from: 1,
      otherwise: 110_000,
    }),
    many: whole('payouts of the large database', { from: 1, otherwise: 1_010_000 }),
    wallets: whole('wallets without payouts of the large one; as many for each payout in the small one', {
      otherwise: 100_000,
    }),
    seconds: whole('of each measurement', { from: 1, otherwise: 5 }),
    rounds: whole('how many rounds', { from: 1, otherwise: 5 }),
  },
  (plan, { say }) => withBenchServer((open) => measure(open, plan, say), { settings }),
)

type Plan = Record<'few' | 'many' | 'wallets' | 'seconds' | 'rounds', number>
type Say = (line: string) => void

async function measure(open: (name: string) => Promise<BenchDatabase>, plan: Plan, say: Say): Promise<Report> {
  const walletsFew = Math.max(claimSize, Math.round((plan.wallets * plan.few) / plan.many))
  const small = await grown(await open('small'), { payouts: plan.few, wallets: walletsFew }, say)
  const large = await grown(await open('large'), { payouts: plan.many, wallets: plan.wallets }, say)
  const databases = { small: small.database, large: large.database }
  try {
    say('measuring …')
    const { scans, ...growth } = await measureGrowth(small, large, plan, say)
    const { db } = large.database
    for (const [table, count] of Object.entries(scans)) say(`${table} was scanned sequentially ${count} times`)
    const result = {
      payouts_few: plan.few,
      payouts: plan.many,
      wallets_few: walletsFew,
      wallets: plan.wallets,
      ...growth,
      sequential_scans: Object.values(scans).reduce((sum, count) => sum + count, 0),
      dead_row_shares: await deadRowShares(large.database),
      table_gb: rounded((await tableBytes(db)) / 1e9),
      ...(await dropMonthUnderLoad(databases, say)),
    }
    const zero = ['errors', 'differences', 'missed', 'sequential_scans', 'timed_out']
    return { result, failures: mustBeZero(result, zero) }
  } finally {
    await Promise.all([small.api.stop(), large.api.stop()])
  }
}

async function grown(database: BenchDatabase, size: { payouts: number; wallets: number }, say: Say): Promise<Grown> {
  const { db, url, server } = database
  const api = await startApiProcess(url)
  const bench = { db, api, postgresCpu: treeCpu(server.pid) }
  // The history repeats the event of a real payout.
  await measureHttp(bench, await makeTenants(db, 10), { seconds: 1, connections: 1 })
  const history = await makeHistory(db, size, say)
  await checkpointBalances(database.owner)
  await db.query('vacuum analyze')
  return { database, api, history }
}

/** The tables with most dead rows, as a share of their rows. */
async function deadRowShares({ db }: BenchDatabase): Promise<Readonly<Record<string, number>>> {
  const { rows } = await db.query<{ relname: string; share: number }>(
    `select relname, (n_dead_tup::float8 / greatest(1, n_live_tup + n_dead_tup)) as share
     from pg_stat_user_tables where n_dead_tup > 1000 order by n_dead_tup desc limit 5`,
  )
  return Object.fromEntries(rows.map(({ relname, share }) => [relname, rounded(share)]))
}
