import { expect, test } from 'vitest'
import { backlogFaults, defaultFaultLimits as limits, type Fault, processFaults, rateFaults } from './fault.ts'
import { rate } from '../quote/rate.ts'
import { process } from './fault.fixture.ts'

const detailsOf = (faults: readonly Fault[]) => faults.map(({ detail }) => detail)

test('missing processes have their silence in whole seconds, those of the API first', () => {
  const missing = [
    process({ silentSeconds: 90.4 }),
    process({ id: 'prc_2', program: 'api', host: 'host-2', silentSeconds: 40.5 }),
  ]
  const faults = processFaults({ running: [process()], missing, observedSeconds: 100, workerlessSeconds: 0 }, limits)
  expect(detailsOf(faults)).toEqual([
    'the api on host-2 has not been seen for 41 s, and nothing has replaced it',
    'the worker on host-1 has not been seen for 90 s, and nothing has replaced it',
  ])
})

test('the absence of workers has the limit that it exceeds', () => {
  const roll = { running: [process({ program: 'api' })], missing: [], observedSeconds: 1_000, workerlessSeconds: 46 }
  const faults = processFaults(roll, { ...limits, processMissingSeconds: 45 })
  expect(detailsOf(faults)).toEqual(['no worker has run for 45 s'])
})

test('a clock that differs is ahead of the database or behind it', () => {
  const running = [process({ aheadMs: 5_000 }), process({ id: 'prc_2', aheadMs: -61_260 })]
  const faults = processFaults({ running, missing: [], observedSeconds: 100, workerlessSeconds: 0 }, limits)
  expect(detailsOf(faults)).toEqual([
    'the worker on host-1 is 5.0 s ahead of the database',
    'the worker on host-1 is 61.3 s behind the database',
  ])
})

test('work that waits has its age in whole seconds', () => {
  const faults = backlogFaults(
    {
      scans: [{ chain: 'tron', view: 'solid', behindSeconds: 302.2 }],
      ledger: { uncheckedSeconds: 301.2, unrecheckedSeconds: 0, driftMicroUsdt: 0n },
      notices: { count: 1, oldestSeconds: 303.7 },
      depositsInReview: { count: 2, oldestSeconds: 28_801, amountMicroUsdt: 150_000_000_000n },
      alerts: { waiting: { count: 1, oldestSeconds: 305 }, acceptedAt: null, digestDay: null },
      undecidedDeposits: {
        count: 2,
        oldestSeconds: 304.2,
        oldest: { depositId: 'dep_1', problem: 'the second provider is late' },
      },
    },
    limits,
  )
  expect(detailsOf(faults)).toEqual([
    'a wallet was last checked 301 s ago',
    'the newest scanned block is 302 s old',
    'dep_1, the oldest of 2, has waited for 304 s in a solid block: the second provider is late',
    '2 of 150000.000000 USDT are in review, the oldest for 28801 s',
    '2 of 150000.000000 USDT are in review, the oldest for 28801 s',
    'an alert has waited for 305 s',
    'a notice to a technical contact has waited for 304 s',
  ])
})

test('sources that disagree have their bids; one without a reading has none', () => {
  const reading = { bid: rate(99_500n), source: 'broker', observedAt: new Date(0) }
  const sources = [
    { name: 'broker', reading, problem: null },
    { name: 'bank', reading: null, problem: 'no answer' },
    { name: 'exchange', reading: { ...reading, bid: rate(120_000n) }, problem: null },
  ]
  const faults = rateFaults({ sources, agreement: { spreadBps: 201, maxSpreadBps: 200 } }, null)
  expect(detailsOf(faults)).toEqual(['no answer', 'broker bids 9.9500, exchange bids 12.0000'])
})
