import { withBenchDatabase } from './postgres/bench-database.ts'
import { rounded } from './report/statistics.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { measureScan } from './scenarios/scan.ts'

// `bench:scan` sets a young generation of 4 MiB, as for a small worker: a parsed block is garbage at once.
const plan = {
  addresses: Number(process.env['BENCH_ADDRESSES'] ?? 1_000_000),
  blocks: Number(process.env['BENCH_BLOCKS'] ?? 10_000),
  transactions: 600,
}
await withBenchDatabase(async ({ url, db }) => {
  await makeTenants(db, 1)
  process.stdout.write(`scanning ${plan.blocks} blocks of ${plan.transactions} transactions …\n`)
  const { nodePerSecond, perSecond, cpuMs, rssMb, found } = await measureScan(db, url, plan)
  const result = {
    addresses: plan.addresses,
    node_blocks_per_second: rounded(nodePerSecond, 0),
    blocks_per_second: rounded(perSecond, 0),
    scan_ratio: rounded(perSecond / nodePerSecond),
    cpu_ms_per_block: rounded(cpuMs),
    rss_mb: rounded(rssMb, 0),
    missed: found[1] - found[0],
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
})
