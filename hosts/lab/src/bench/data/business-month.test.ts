import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate, postgresStores } from '@quipu/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { compareReports } from '../scenarios/compare-reports.ts'
import { makeBusinessMonth } from './business-month.ts'

test('reports of a month agree with postings and quotes to the micro and the centavo, in both zones', async () => {
  await using opened = new AsyncDisposableStack()
  const { url, drop } = await testDatabase({ templateName: 'quipu_bench', migrate })
  opened.defer(drop)
  const db = opened.adopt(new pg.Client(url), (client) => client.end())
  const { reports } = opened.adopt(postgresStores({ url }), (each) => each.close())
  await db.connect()
  await makeBusinessMonth(db, { payouts: 2_000, tenants: 5 })
  const { differences, rows } = await compareReports(db, reports, '2026-10')
  expect(differences).toEqual([])
  expect(rows).toBe(2 * (5 + 1 + 31 + 1 + 1 + 1))
  // The comparison is of the rows: a forged end is seen.
  await db.query(`alter table quipu.payout_end disable trigger append_only`)
  await db.query(`update quipu.payout_end set status = 'completed', error_code = null, error_message = null
    where payout_id = (select payout_id from quipu.payout_end where status = 'failed' and ended_at >= '2026-10-02' limit 1)`)
  expect((await compareReports(db, reports, '2026-10')).differences.length).toBeGreaterThan(0)
})
