import { type Alert, Unavailable } from '@quipu/core'
import { type Difference, differenceChecks } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { raiseDifferences } from './difference-alerts.ts'

const at = new Date(0)
const difference = (change: bigint, check: Difference['check']): Difference => ({
  id: `dif_${change}`,
  check,
  kind: 'k',
  scope: '',
  tenantId: 'ten_1',
  subject: `s_${change}`,
  detail: 'off',
  expected: null,
  found: null,
  foundAt: at,
  lastSeenAt: at,
  goneAt: null,
  closure: null,
  status: 'open',
  change,
})

test('a network that contradicts an ended payout has an alert of its own', async () => {
  const alerts: Alert[] = []
  const { timer } = steppedTimer(1)
  const loop = raiseDifferences({
    differences: {
      listChanged: async (after) => (after === 0n ? [{ ...difference(1n, 'network'), kind: 'contradicts' }] : []),
    },
    raiseAlert: (alert) => void alerts.push(alert),
    now: () => at,
    timer,
    report: () => undefined,
  })
  await turn()
  await loop.stop()
  expect(alerts.map(({ code }) => code)).toEqual(['NETWORK_CONTRADICTS'])
})

test('alerts each new or changed difference of every check once, and tries again after a failure', async () => {
  const open = Array.from({ length: 205 }, (_, n) =>
    difference(BigInt(n + 1), differenceChecks[n % differenceChecks.length] ?? 'ledger'),
  )
  const failures: unknown[] = [new Unavailable('store', 'gone'), new Error('a fault')]
  const alerts: Alert[] = []
  const reports: unknown[] = []
  const sinces = new Set<string>()
  const { timer, pausesMs, pass } = steppedTimer(5)
  const loop = raiseDifferences({
    differences: {
      listChanged: async (after, since, limit) => {
        sinces.add(since.toISOString())
        if (alerts.length === 200 && failures.length > 0) throw failures.pop()
        return open.filter(({ change }) => change > after).slice(0, limit)
      },
    },
    raiseAlert: (alert) => void alerts.push(alert),
    now: () => new Date('2026-03-02T12:00:00.000Z'),
    timer,
    report: (error) => void reports.push(error),
  })
  for (let n = 0; n < 8; n++) {
    await turn()
    if (n === 6) open.push(difference(206n, 'network'))
    pass()
  }
  await turn()
  await loop.stop()
  expect(alerts).toHaveLength(206)
  expect(new Set(alerts.map(({ subject }) => subject)).size).toBe(206)
  expect(alerts.slice(0, 5).map(({ code }) => code)).toEqual([
    'LEDGER_DIFFERENCE',
    'LEDGER_DIFFERENCE',
    'NETWORK_DIFFERENCE',
    'CHAIN_DIFFERENCE',
    'LIQUIDITY_LOW',
  ])
  // A difference that was closed or gone in the hour before the start counts, too.
  expect([...sinces]).toEqual(['2026-03-02T11:00:00.000Z'])
  expect(reports).toEqual([new Error('a fault')])
  expect(pausesMs.slice(0, 3)).toEqual([5_000, 5_000, 1_000])
})
