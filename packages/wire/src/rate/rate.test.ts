import { parseRate } from '@quipu/core'
import type { QuotingReport } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { quotingReport, quotingReportToJson, quotingToJson } from './rate.ts'

const rate = (text: string) => {
  const parsed = parseRate(text)
  if (parsed === undefined) throw new Error(`${text} is no rate`)
  return parsed
}
const at = (ms: number): Date => new Date(Date.UTC(2026, 10, 20, 12) + ms)

const one = { bid: rate('9.8007'), source: 'one', observedAt: at(-5_900) }
const report: QuotingReport = {
  at: at(0),
  quoting: { status: 'paused', change: { by: 'ana', at: at(-60_000), reason: 'A halt.' } },
  rate: { ...one, source: 'composite(one,two)' },
  problem: null,
  sources: [
    { name: 'one', reading: one, problem: null },
    { name: 'two', reading: { ...one, observedAt: at(100) }, problem: 'ahead of the clock' },
    { name: 'three', reading: null, problem: 'no answer' },
  ],
  agreement: { spreadBps: 50, maxSpreadBps: 50 },
}
const quoting = { status: 'paused', changed_by: 'ana', changed_at: '2026-11-20T11:59:00.000Z', reason: 'A halt.' }

test('shows the rate, its sources with their ages rounded down, and whether they agree', () => {
  const reading = { bid: '9.8007', observed_at: '2026-11-20T11:59:54.100Z', age_seconds: 5 }
  const ahead = { bid: '9.8007', observed_at: '2026-11-20T12:00:00.100Z', age_seconds: -1 }
  const none = { bid: null, observed_at: null, age_seconds: null }
  const json = quotingReportToJson(report)
  expect(json).toEqual({
    quoting,
    rate: { source: 'composite(one,two)', ...reading },
    problem: null,
    sources: [
      { name: 'one', ...reading, usable: true, problem: null },
      { name: 'two', ...ahead, usable: false, problem: 'ahead of the clock' },
      { name: 'three', ...none, usable: false, problem: 'no answer' },
    ],
    agreement: { agree: true, spread_bps: 50, max_spread_bps: 50 },
  })
  expect(quotingReport.parse(json)).toEqual(json)
})

test('sources above the maximum disagree', () => {
  const agreement = { spreadBps: 51, maxSpreadBps: 50 }
  expect(quotingReportToJson({ ...report, agreement }).agreement).toEqual({
    agree: false,
    spread_bps: 51,
    max_spread_bps: 50,
  })
})

test('without a rate it says why, and fewer than two sources have no agreement', () => {
  const none = { rate: null, problem: 'no source', sources: [], agreement: null }
  const json = quotingReportToJson({ ...report, ...none })
  expect(json).toEqual({ quoting, ...none })
  expect(quotingReport.parse(json)).toEqual(json)
})

test('quoting that nobody has changed has no change, and a resumption has no reason', () => {
  const none = { status: 'open', changed_by: null, changed_at: null, reason: null }
  expect(quotingToJson({ status: 'open', change: null })).toEqual(none)
  const change = { by: 'ana', at: at(0), reason: null }
  expect(quotingToJson({ status: 'open', change })).toEqual({
    ...none,
    changed_by: 'ana',
    changed_at: '2026-11-20T12:00:00.000Z',
  })
})
