import { expect, test } from 'vitest'
import { parsePayoutActivity, payoutActivity, payoutActivityToJson } from './payout-activity.ts'

const now = new Date('2026-11-20T15:04:05.678Z')

test.each([
  ['hours=1', '2026-11-20T14:04:05.678Z', 75],
  ['hours=24', '2026-11-19T15:04:05.678Z', 1_800],
  ['', '2026-11-19T15:04:05.678Z', 1_800],
  ['hours=168', '2026-11-13T15:04:05.678Z', 12_600],
])('the period of %j ends now and has 48 steps', (search, from, stepSeconds) => {
  expect(parsePayoutActivity(search, now)).toEqual({ ok: true, value: { from: new Date(from), stepSeconds } })
})

test.each(['hours=0', 'hours=169', 'hours=1.5', 'hours=', 'days=1'])('refuses %s', (search) => {
  expect(parsePayoutActivity(search, now).ok).toBe(false)
})

test('counts the outcomes of each step, and rounds its times to milliseconds', () => {
  const outcomes = { completed: 7, failed: 3, rejected: 2, cancelled: 1 }
  const query = { from: new Date('2026-11-19T15:04:05.678Z'), stepSeconds: 1_800 }
  const step = { at: new Date('2026-11-20T15:00:00Z'), outcomes, medianMs: 800.4, p95Ms: 1_499.5 }
  const completeFrom = new Date('2026-11-20T01:02:03Z')
  const json = payoutActivityToJson({ steps: [step], completeFrom }, query, now)
  expect(json).toEqual({
    from: '2026-11-19T15:04:05.678Z',
    to: '2026-11-20T15:04:05.678Z',
    step_seconds: 1_800,
    complete_from: '2026-11-20T01:02:03.000Z',
    steps: [{ at: '2026-11-20T15:00:00.000Z', ...outcomes, median_ms: 800, p95_ms: 1_500 }],
  })
  expect(payoutActivity.parse(json)).toEqual(json)
  for (const member of ['completed', 'failed', 'rejected', 'cancelled', 'median_ms', 'p95_ms'])
    expect(payoutActivity.safeParse({ ...json, steps: [{ ...json.steps[0], [member]: -1 }] }).success, member).toBe(
      false,
    )
})
