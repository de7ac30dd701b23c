import { bob, usdt } from '@quipu/core'
import { namedPeriod, type PayoutSums, type Period, type RefundSums } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { csvTable } from '../csv/csv.ts'
import {
  parseReport,
  reportToJson,
  revenueReport,
  revenueRow,
  revenueToJson,
  volumeReport,
  volumeRow,
  volumeToJson,
} from './report.ts'

const period = namedPeriod('2026-11', 'America/La_Paz') as Period
const sums: PayoutSums = {
  key: 'ten_1',
  name: 'Pagos, S.R.L.',
  completed: 1,
  target: bob(100_00n),
  source: usdt(10_354_370n),
  spread: usdt(153_101n),
  fee: usdt(151_017n),
  outcomes: [
    { status: 'completed', errorCode: null, count: 1 },
    { status: 'cancelled', errorCode: 'QUOTE_EXPIRED', count: 2 },
  ],
  answers: { median: 1, p95: 2, p99: 3 },
}
const refunds: RefundSums = {
  key: 'ten_1',
  name: null,
  refunds: 1,
  amount: usdt(10_203_353n),
  spread: usdt(153_101n),
  fee: usdt(0n),
}

test('a report of revenue has refunds as negative lines, and its sum', () => {
  const row = { payouts: sums, refunds }
  const json = reportToJson({ period, cut: 'tenant', rows: [row], total: row }, revenueToJson, period.to)
  expect(json).toMatchObject({ period: '2026-11', timezone: 'America/La_Paz', status: 'open', by: 'tenant' })
  expect(json.total).toEqual({
    key: 'ten_1',
    name: 'Pagos, S.R.L.',
    payouts: 1,
    volume_bob: '100.00',
    volume_usdt: '10.354370',
    spread_usdt: '0.153101',
    fee_usdt: '0.151017',
    refunds: 1,
    refunded_usdt: '10.203353',
    refunded_spread_usdt: '-0.153101',
    refunded_fee_usdt: '0.000000',
    revenue_usdt: '0.151017',
  })
  expect(revenueReport.parse(json)).toEqual(json)
  const { header, line } = csvTable(revenueRow)
  expect(header.split(',')).toEqual([...Object.keys(json.total).slice(0, -1), 'revenue_usdt\r\n'])
  expect(line(json.total)).toContain('ten_1,"Pagos, S.R.L.",1,100.00,')
})

test('a report of volume counts outcomes and error codes, and has times', () => {
  const json = reportToJson({ period, cut: 'day', rows: [], total: sums }, volumeToJson, period.from)
  expect(json.total).toMatchObject({ payouts: 3, outcomes: { completed: 1, cancelled: 2, failed: 0 }, p99_ms: 3 })
  expect(json.total.errors).toMatchObject({ QUOTE_EXPIRED: 2, PAYMENT_FAILED: 0 })
  expect(volumeReport.parse(json)).toEqual(json)
  expect(csvTable(volumeRow).header).toContain('outcomes.cancelled,errors.')
  expect(volumeToJson({ ...sums, answers: null }).median_ms).toBeNull()
})

test('reads period, cut and format, and names what it refuses', () => {
  expect(parseReport('period=2026-11&timezone=America/La_Paz&by=day&format=csv', period.from)).toEqual({
    ok: true,
    value: { period, cut: 'day', format: 'csv' },
  })
  expect(parseReport('timezone=America/La_Paz', new Date('2026-12-01T03:59:59Z'))).toEqual({
    ok: true,
    value: { period, cut: 'tenant', format: undefined },
  })
  const refused = parseReport('period=2026&by=week&format=pdf', period.from)
  expect(refused.ok ? [] : refused.issues.map(({ field }) => field).toSorted()).toEqual(['by', 'format', 'period'])
})
