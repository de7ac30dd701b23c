import { expect, test } from 'vitest'
import { ids } from './reconciliation.fixture.ts'
import type { PaymentGate } from '../restore/ports.ts'
import { requestReconciliation } from './request-run.ts'
import type { NewReconciliationRun, ReconciliationRun } from './run.ts'
import { scheduleReconciliation } from './schedule-runs.ts'
import type { Alert } from '../alert.ts'
import { runMac } from './run-mac.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

const runMacKeys = [{ id: '1', key: new Uint8Array(32).fill(1) }] as const
const timing = { settleSeconds: 3_600 }

function harness(text: string) {
  const runs: ReconciliationRun[] = []
  const clock = { now: new Date(text) }
  const none = { slices: 0, compared: 0, differences: 0, completedAt: null, failure: null, mac: null }
  const alerts: Alert[] = []
  const ports = {
    runMacKeys,
    raiseAlert: (alert: Alert) => void alerts.push(alert),
    ids,
    now: () => clock.now,
    reconciliations: {
      open: async (run: NewReconciliationRun) => {
        runs.push({ ...run, ...none })
        return 'opened' as const
      },
      lastScheduled: async (check: string, days: number) =>
        Array.from(new Map(runs.filter((run) => run.check === check).map((run) => [run.scheduledFor ?? '', run])))
          .toSorted(([a], [b]) => (a < b ? 1 : -1))
          .slice(0, days)
          .map(([, run]) => run),
    },
  }
  const days = (check: string) => runs.filter((run) => run.check === check).map(({ scheduledFor }) => scheduledFor)
  return { ports, runs, alerts, days, clock, schedule: scheduleReconciliation(ports, timing) }
}

function complete(runs: ReconciliationRun[], index: number, at: Date, forged?: string): void {
  const run = runs[index] as ReconciliationRun
  const slice = { position: 1, compared: 5, differences: 0, isLast: true }
  const mac = forged ?? runMac(runMacKeys, run, slice, at)
  runs[index] = { ...run, position: 1, slices: 1, compared: 5, completedAt: at, mac }
}

test('the statement of a day is due once it has settled, from its first to its last instant', async () => {
  const { clock, runs, days, schedule } = harness('2026-11-23T00:59:59.999Z')
  await schedule(['network'])
  expect(days('network')).toEqual(['2026-11-21'])
  clock.now = new Date('2026-11-23T01:00:00.000Z')
  await schedule(['network'])
  await schedule(['network'])
  expect(days('network')).toEqual(['2026-11-21', '2026-11-22'])
  const from = new Date('2026-11-22T00:00:00.000Z')
  expect(runs.at(-1)).toMatchObject({
    period: { from, to: new Date('2026-11-23T00:00:00.000Z') },
    position: from.getTime(),
  })
})

test('days without a worker are scheduled later, a week back at most', async () => {
  const { clock, days, schedule } = harness('2026-11-03T12:00:00.000Z')
  await schedule(['network'])
  clock.now = new Date('2026-11-06T12:00:00.000Z')
  await schedule(['network'])
  expect(days('network')).toEqual(['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05'])
  clock.now = new Date('2026-12-06T12:00:00.000Z')
  await schedule(['network'])
  expect(days('network').slice(4)).toEqual(
    [29, 30, 1, 2, 3, 4, 5].map((day) => `2026-1${day > 20 ? 1 : 2}-${String(day).padStart(2, '0')}`),
  )
})

test('balances are due daily, and not before the last run has completed', async () => {
  const { clock, runs, days, schedule } = harness('2026-11-23T00:00:00.000Z')
  await schedule(['chain'])
  clock.now = new Date('2026-11-25T00:00:00.000Z')
  await schedule(['chain'])
  expect(days('chain')).toEqual(['2026-11-23'])
  complete(runs, 0, clock.now)
  await schedule(['chain'])
  await schedule(['chain'])
  expect(days('chain')).toEqual(['2026-11-23', '2026-11-25'])
  complete(runs, 1, clock.now)
  await schedule(['chain'])
  expect(days('chain')).toHaveLength(2)
})

test('a day is compared again when no process vouches for its completed run, however late that is', async () => {
  const { clock, runs, alerts, days, schedule } = harness('2026-11-03T12:00:00.000Z')
  await schedule(['network', 'chain'])
  clock.now = new Date('2026-11-05T12:00:00.000Z')
  await schedule(['network', 'chain'])
  const before = { network: ['2026-11-02', '2026-11-03', '2026-11-04'], chain: ['2026-11-03'] }
  expect([days('network'), days('chain'), alerts]).toEqual([before.network, before.chain, []])
  complete(runs, 0, clock.now, '1.00')
  complete(runs, 2, clock.now)
  complete(runs, 1, clock.now)
  await schedule(['network', 'chain'])
  await schedule(['network', 'chain'])
  expect(days('network')).toEqual([...before.network, '2026-11-02'])
  expect(days('chain')).toEqual([...before.chain, '2026-11-05'])
  expect(alerts).toMatchObject([
    { code: 'RECONCILIATION_EMPTY', subject: 'network', detail: expect.stringContaining(runs[0]?.id ?? '-') },
  ])
})

test('a day without a run is scheduled, though a later one has a run', async () => {
  const { runs, days, schedule, clock } = harness('2026-11-03T12:00:00.000Z')
  await schedule(['network'])
  clock.now = new Date('2026-11-05T12:00:00.000Z')
  runs.push({ ...(runs[0] as ReconciliationRun), scheduledFor: '2026-11-05' })
  await schedule(['network'])
  expect(days('network')).toEqual(['2026-11-02', '2026-11-05', '2026-11-03', '2026-11-04'])
})

const gate: PaymentGate = { stop: null, halt: null, unchecked: null, confirmations: 0, installation: 'ABCD' }

test('while payments are halted a period is compared at once, as nothing new settles', async () => {
  const { ports } = harness('2026-11-23T12:10:00.000Z')
  const halt = { reason: 'restored', detail: 'another cluster', at: ports.now() } as const
  const restores = { gate: async () => ({ ...gate, halt }) }
  const request = requestReconciliation({ ...ports, restores }, timing)
  const [from, to] = [new Date('2026-11-23T11:30:00.000Z'), new Date('2026-11-23T12:10:00.001Z')]
  expect(await request(operatorNamed('ana'), { check: 'network', from, to: ports.now() })).toMatchObject({
    type: 'opened',
  })
  expect(await request(operatorNamed('ana'), { check: 'network', from, to })).toEqual({
    type: 'not_settled',
    latest: ports.now(),
  })
})

test('a requested period must have settled', async () => {
  const { ports, runs } = harness('2026-11-23T12:10:00.000Z')
  const restores = { gate: async () => gate }
  const request = requestReconciliation({ ...ports, restores }, timing)
  const from = new Date('2026-11-23T09:29:59.999Z')
  const to = new Date('2026-11-23T10:30:00.001Z')
  expect(await request(operatorNamed('ana'), { check: 'network', from, to })).toMatchObject({
    type: 'opened',
    run: { period: { from, to }, position: from.getTime(), requestedBy: 'ana', scheduledFor: null, completedAt: null },
  })
  const latest = new Date('2026-11-23T11:10:00.000Z')
  expect(await request(operatorNamed('ana'), { check: 'network', from, to: latest })).toMatchObject({
    type: 'opened',
    run: { period: { from, to: latest } },
  })
  const late = new Date('2026-11-23T11:10:00.001Z')
  expect(await request(operatorNamed('ana'), { check: 'network', from, to: late })).toEqual({
    type: 'not_settled',
    latest,
  })
  expect(await request(operatorNamed('ana'), { check: 'chain' })).toMatchObject({ run: { period: null, position: 0 } })
  expect(runs).toHaveLength(3)
})
