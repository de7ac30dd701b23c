import { expect, test } from 'vitest'
import { scenarioOf } from '../scenario/scenario.ts'
import { addReport, newSummary, seedReport } from './report.ts'
import { runScenario } from './run.ts'

/** Few seeds that reach everything which the tests below expect; `simulate` runs any number. */
const seeds = [11, 1, 2, 3, 4, 5, 6, 7, 43, 60, 67, 68, 83, 101, 112, 128, 144]
const summary = newSummary()

test('a fixed set of seeds violates nothing', async () => {
  for (const seed of seeds) addReport(summary, seedReport(await runScenario(scenarioOf(seed))))
  expect(summary.failures).toEqual([])
})

const withoutCancel = newSummary()

test('a fixed set of seeds violates nothing at a network without cancel', async () => {
  for (const seed of seeds.slice(0, 8))
    addReport(withoutCancel, seedReport(await runScenario(scenarioOf(seed), { network: 'openhub' })))
  expect(withoutCancel.failures).toEqual([])
})

test.each([
  'payout processing → completed',
  'payout processing → cancelled PAYMENT_CANCELLED',
  'payout that needed people',
  'payout whose money came back',
  'payout whose money came back after its end',
  'decision completed',
  'decision cancelled PAYMENT_CANCELLED',
])('the fixed set reaches at a network without cancel: %s', (name) => {
  expect(withoutCancel.counts.get(name) ?? 0).toBeGreaterThan(0)
})

test.each([
  'payout new → processing',
  'payout new → cancelled INSUFFICIENT_BALANCE',
  'payout new → rejected QR_REFUSED',
  'payout processing → completed',
  'payout processing → failed PAYMENT_FAILED',
  'payout processing → rejected QR_REFUSED',
  'payout processing → cancelled PAYMENT_CANCELLED',
  'payout processing → cancelled INSUFFICIENT_FUNDS',
  'payout processing → cancelled AMOUNT_EXCEEDS_PROVIDER_LIMIT',
  'payout refused: stale',
  'payout of a wrong amount that the network refused',
  'decision completed',
  'decision cancelled PAYMENT_CANCELLED',
  'decision failed PAYMENT_FAILED',
  'deposit → credited',
  'deposit → in_review TRANSFER_DROPPED',
  'deposit → in_review SENDER_IS_SERVICE',
  'sweep → solid',
  'sweep → expired',
  'delivery delivered',
  'delivery exhausted',
  'endpoint active',
  'fault fail_over',
  'fault pause_api',
  'database fail-over after another one',
  'database fail-over without a standby that has caught up',
  'database write on a replaced primary',
])('the fixed set reaches: %s', (name) => {
  expect(summary.counts.get(name) ?? 0).toBeGreaterThan(0)
})
