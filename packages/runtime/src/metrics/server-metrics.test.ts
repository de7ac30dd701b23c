import { expect, test } from 'vitest'
import { systemTimer } from '@quipu/core/system'
import { prometheusMetrics } from './metrics.ts'
import { serverMetrics } from './server-metrics.ts'
import { traceMetrics } from './trace-metrics.ts'

const state = {
  databaseBytes: 7,
  walBytes: 100,
  walRetainedBytes: 3,
  archiveFailingSeconds: 0,
  snapshotAge: 2,
  transactionIdAge: 5,
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('quipu_'))

test('one reading serves all metrics of 15 seconds, and an outage leaves none', async () => {
  const metrics = prometheusMetrics()
  let [ms, reads] = [0, 0]
  let isDown = false
  const read = async () => {
    reads += 1
    if (isDown) throw new Error('down')
    return { ...state, walBytes: 100 * reads }
  }
  serverMetrics(metrics, read, { timer: systemTimer, now: () => new Date(ms) })
  const first = linesOf(await metrics.text())
  expect(first).toEqual([
    'quipu_database_bytes 7',
    'quipu_database_wal_bytes_total 100',
    'quipu_database_wal_retained_bytes 3',
    'quipu_database_archive_failing_seconds 0',
    'quipu_database_snapshot_age_transactions 2',
    'quipu_database_transaction_id_age 5',
  ])
  ms = 14_999
  expect(linesOf(await metrics.text())).toEqual(first)
  ms = 15_000
  expect(linesOf(await metrics.text())).toContain('quipu_database_wal_bytes_total 200')
  expect(reads).toBe(2)
  isDown = true
  ms = 30_000
  expect(linesOf(await metrics.text())).toEqual([])
})

test('lost spans are counted by their reason, from 0 on', async () => {
  const metrics = prometheusMetrics()
  let lost = { dropped: 0, failed: 0 }
  traceMetrics(metrics, () => lost)
  const name = 'quipu_trace_spans_lost_total'
  expect(linesOf(await metrics.text())).toEqual([`${name}{reason="dropped"} 0`, `${name}{reason="failed"} 0`])
  lost = { dropped: 3, failed: 512 }
  expect(linesOf(await metrics.text())).toEqual([`${name}{reason="dropped"} 3`, `${name}{reason="failed"} 512`])
})
