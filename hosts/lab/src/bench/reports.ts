import { postgresStores } from '@quipu/postgres'
import { whole } from '../run/options.ts'
import { mustBeZero } from '../run/report.ts'
import { subjectOf } from '../run/subject.ts'
import { makeBusinessMonth } from './data/business-month.ts'
import { withBenchServer } from './postgres/bench-database.ts'
import { compareReports } from './scenarios/compare-reports.ts'

/** The reports of a month, compared with a recomputation from postings and quotes, and their times. */
export const subject = subjectOf(
  {
    payouts: whole('payouts of the month', { from: 1, otherwise: 100_000 }),
    tenants: whole('tenants with other pricings', { from: 1, otherwise: 50 }),
  },
  (size, { say }) =>
    withBenchServer(async (open) => {
      const { db, url } = await open('reports')
      await makeBusinessMonth(db, size)
      await db.query('vacuum analyze')
      say('comparing …')
      const stores = postgresStores({ url })
      try {
        const { differences, ms, rows } = await compareReports(db, stores.reports, '2026-10')
        const result = { ...size, compared: rows, ms, differences: differences.length }
        return { result, failures: [...differences.slice(0, 20), ...mustBeZero(result, ['differences'])] }
      } finally {
        await stores.close()
      }
    }),
)
