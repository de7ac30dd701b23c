import { whole } from '../run/options.ts'
import { mustBeZero } from '../run/report.ts'
import { subjectOf } from '../run/subject.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { withBenchDatabase } from './postgres/bench-database.ts'
import { rounded } from './report/statistics.ts'
import { measureScan } from './scenarios/scan.ts'

/** Scanned blocks a second. The command sets a young generation of 4 MiB, as for a small worker: a parsed block is garbage at once. */
export const subject = subjectOf(
  {
    addresses: whole('top-up addresses', { from: 1, otherwise: 1_000_000 }),
    blocks: whole('blocks of 600 transactions', { from: 1, otherwise: 10_000 }),
  },
  ({ addresses, blocks }, { say }) =>
    withBenchDatabase(async ({ url, db }) => {
      await makeTenants(db, 1)
      const plan = { addresses, blocks, transactions: 600 }
      say(`scanning ${blocks} blocks of ${plan.transactions} transactions …`)
      const { nodePerSecond, perSecond, cpuMs, rssMb, found } = await measureScan(db, url, plan)
      const result = {
        addresses,
        node_blocks_per_second: rounded(nodePerSecond, 0),
        blocks_per_second: rounded(perSecond, 0),
        scan_ratio: rounded(perSecond / nodePerSecond),
        cpu_ms_per_block: rounded(cpuMs),
        rss_mb: rounded(rssMb, 0),
        missed: found[1] - found[0],
      }
      return { result, failures: mustBeZero(result, ['missed']) }
    }),
)
