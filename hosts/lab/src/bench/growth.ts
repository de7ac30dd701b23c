import 'reflect-metadata'
import { checkpointBalances } from '@quipu/postgres'
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

// The same requests to a database with few payouts and to one with many. A ratio of 1 is no growth.

// The tenant with the longest log has half of the payouts. In both databases its last balance checkpoint is then 5,000
// entries ago, the mean: the time of its reconciliation depends on that number alone.
const plan = {
  few: Number(process.env['BENCH_PAYOUTS_FEW'] ?? 110_000),
  many: Number(process.env['BENCH_PAYOUTS'] ?? 1_010_000),
  wallets: Number(process.env['BENCH_WALLETS'] ?? 100_000),
  seconds: Number(process.env['BENCH_SECONDS'] ?? 5),
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
}
/** The small database has as many for each payout. */
const walletsFew = Math.max(claimSize, Math.round((plan.wallets * plan.few) / plan.many))
const say = (line: string): void => void process.stdout.write(`${line}\n`)

// Autovacuum is on, as in production.
const settings = { shared_buffers: '1GB', max_wal_size: '8GB' }
await withBenchServer(
  async (open) => {
    const small = await grown(await open('small'), plan.few, walletsFew)
    const large = await grown(await open('large'), plan.many, plan.wallets)
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
      say(JSON.stringify(result))
      const { errors, differences, missed, sequential_scans, timed_out } = result
      if (errors + differences + missed + sequential_scans + timed_out.length > 0) process.exitCode = 1
    } finally {
      await Promise.all([small.api.stop(), large.api.stop()])
    }
  },
  { settings },
)

async function grown(database: BenchDatabase, payouts: number, wallets: number): Promise<Grown> {
  const { db, url, server } = database
  const api = await startApiProcess(url)
  const bench = { db, api, postgresCpu: treeCpu(server.pid) }
  // The history repeats the event of a real payout.
  await measureHttp(bench, await makeTenants(db, 10), { seconds: 1, connections: 1 })
  const history = await makeHistory(db, { payouts, wallets }, say)
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
