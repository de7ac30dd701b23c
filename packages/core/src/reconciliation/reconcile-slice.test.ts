import { expect, test } from 'vitest'
import type { FoundDifference } from '../difference/difference.ts'
import { bob } from '../money.ts'
import type { StatementRow } from '../network/qr-network.ts'
import { Unavailable } from '../unavailable.ts'
import { ids, reconciliationRun, recordedDifferences } from './reconciliation.fixture.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import { reconcileNetwork } from './reconcile-slice.ts'
import type { ReconciledPeriod, ReconciledSlice, ReconciliationRun } from './run.ts'

const from = new Date('2026-11-20T00:00:00.000Z')
const hours = (n: number): Date => new Date(from.getTime() + n * 3_600_000)
const settings = { leaseSeconds: 300, retrySeconds: 60 }

const unpaid = (reference: string, paidAt: Date): StatementRow => ({
  type: 'payment',
  reference,
  networkRef: '1',
  paymentId: 'np',
  amount: bob(1n),
  paidAt,
})

function harness(scheduledFor: string | null, lines: StatementRow[] = [], runMacKeys?: KeyRing) {
  const run: ReconciliationRun = {
    ...reconciliationRun,
    check: 'network',
    period: { from, to: hours(1) },
    scheduledFor,
    requestedBy: null,
    createdAt: hours(25),
    position: from.getTime(),
  }
  const { position, period } = run
  const state = { position, period, isNewest: true, isDown: false, canYield: true, due: 1, keptFrom: 0, progress: {} }
  const reads: ReconciledPeriod[] = []
  const slices: ReconciledSlice[] = []
  const failures: unknown[] = []
  const macs: (string | undefined)[] = []
  const differences = recordedDifferences()
  let seconds = 0
  const reconcile = reconcileNetwork(
    {
      differences,
      runMacKeys,
      ids,
      now: () => new Date(hours(26).getTime() + 1_000 * seconds++),
      network: {
        async *statement(start: Date, end: Date) {
          if (state.isDown) throw new Unavailable('qr_network', 'down')
          if (+start < state.keptFrom) throw new Unavailable('qr_network', 'no longer kept')
          reads.push({ from: start, to: end })
          for (const line of lines) if (line.paidAt >= start && line.paidAt <= end) yield line
        },
      },
      reconciliations: {
        claimDue: async (checks) => {
          expect(checks).toEqual(['network'])
          const claim = { id: run.id, fencingToken: 1 }
          const { position, period } = state
          return state.due > 0 ? { claim, run: { ...run, position, period, ...state.progress } } : undefined
        },
        advance: async (_, slice, at, mac) => {
          if (!state.isNewest) return false
          slices.push(slice)
          state.position = slice.position
          macs.push(mac)
          if (runMacKeys) state.progress = progressOf({ ...run, position, period, ...state.progress }, slice, at, mac)
          if (slice.isLast) state.due = 0
          return true
        },
        yieldClaim: async (_, failure, dueInSeconds) => {
          failures.push([failure, dueInSeconds])
          if (!state.canYield) throw new Unavailable('store', 'down')
          return true
        },
        findPayments: async () => [],
        async *completedPayments() {},
      },
    },
    settings,
  )
  return { reconcile, state, macs, reads, slices, failures, differences, lines }
}

const progressOf = (
  run: ReconciliationRun,
  { position, compared, differences, isLast }: ReconciledSlice,
  at: Date,
  mac: string | undefined,
): Partial<ReconciliationRun> => ({
  position,
  slices: run.slices + 1,
  compared: run.compared + compared,
  differences: run.differences + differences,
  completedAt: isLast ? at : null,
  mac: mac ?? null,
})

const keys: KeyRing = [{ id: '1', key: new Uint8Array(32).fill(1) }]

test('each slice leaves a MAC, by which the next one knows that processes compared what is before it', async () => {
  const { reconcile, macs, reads, state } = harness('2026-11-20', [unpaid('po_1', hours(0.6))], keys)
  state.period = { from, to: hours(24) }
  const types = []
  do types.push((await reconcile()).type)
  while (types.at(-1) === 'advanced')
  expect([types.length, types.at(-1), reads.length, new Set(macs).size]).toEqual([48, 'completed', 48, 48])
  expect(state.progress).toMatchObject({ slices: 48, compared: 1, completedAt: expect.any(Date) })
})

const slicesDone = { position: +hours(23.5), slices: 47, compared: 900 }
test.each([
  ['slices that no process compared', { ...slicesDone, mac: '1.00' }, { from, to: hours(24) }],
  ['slices without a MAC', slicesDone, { from, to: hours(24) }],
  ['a start at its end', { position: +hours(23.5) }, { from, to: hours(24) }],
  ['a part of its day', {}, { from, to: hours(1) }],
  ['another day', { position: +hours(24) }, { from: hours(24), to: hours(48) }],
])('a run with %s is ended without a comparison and without a MAC', async (_, progress, period) => {
  const { reconcile, macs, reads, slices, state } = harness('2026-11-20', [], keys)
  Object.assign(state, { period, progress })
  expect(await reconcile()).toMatchObject({ type: 'forged', run: { id: 'rcn_1' } })
  expect(await reconcile()).toEqual({ type: 'idle' })
  expect([reads, macs]).toEqual([[], [undefined]])
  expect(slices).toEqual([{ position: +period.to, compared: 0, differences: 0, isLast: true }])
})

test.each([1, 0.9])('a run of %d h is completed slice by slice', async (end) => {
  const { reconcile, state, slices } = harness(null, [unpaid('po_1', hours(0.6))])
  state.period = { from, to: hours(end) }
  expect(await reconcile()).toMatchObject({ type: 'advanced' })
  expect(await reconcile()).toMatchObject({ type: 'completed', run: { position: +hours(0.5) } })
  expect(await reconcile()).toEqual({ type: 'idle' })
  expect(slices).toEqual([
    { position: hours(0.5).getTime(), compared: 0, differences: 0, isLast: false },
    { position: hours(end).getTime(), compared: 1, differences: 1, isLast: true },
  ])
})

test('a slice that fails is repeated, and one whose lease ended is not recorded', async () => {
  const { reconcile, state, slices, failures } = harness(null)
  state.isDown = true
  expect(await reconcile()).toMatchObject({ type: 'failed', error: expect.any(Unavailable) })
  expect(failures).toEqual([['qr_network unavailable: down', 60]])
  Object.assign(state, { isDown: false, isNewest: false })
  expect(await reconcile()).toMatchObject({ type: 'stale' })
  expect(slices).toEqual([])
})

test('a slice that fails is answered even if its lease cannot be ended', async () => {
  const { reconcile, state } = harness(null)
  Object.assign(state, { isDown: true, canYield: false })
  expect(await reconcile()).toMatchObject({ type: 'failed', error: { dependency: 'qr_network' } })
})

test('a run of the statement needs a period', async () => {
  const { reconcile, state, failures } = harness(null)
  state.period = null
  expect(await reconcile()).toMatchObject({ type: 'failed' })
  expect(failures).toEqual([['a run of the statement without a period', 60]])
})

const earlierDifferences = (...scopes: string[]): FoundDifference[] =>
  scopes.map((scope) => ({
    ...({ id: scope, check: 'network', kind: 'unknown_here', tenantId: null, scope } as const),
    subject: `po ${scope}`,
    detail: 'd',
    expected: null,
    found: null,
  }))

test('the end of a scheduled run counts earlier differences that persist, and reads no slice twice', async () => {
  const early = earlierDifferences('2026-11-18T23:30:00.000Z', '2026-11-19T23:30:00.000Z')
  const lines = [
    ...early.map(({ subject, scope }) => unpaid(subject, new Date(scope))),
    unpaid('po_1', hours(0)),
    unpaid('po_2', hours(0.6)),
  ]
  const { reconcile, differences, reads, slices } = harness('2026-11-20', lines)
  await differences.record(early, from)
  while ((await reconcile()).type !== 'idle');
  expect(slices).toMatchObject([
    { compared: 1, differences: 1 },
    { compared: 1, differences: 3 },
  ])
  const margin = 5 / 60
  expect(reads.map((read) => read.from)).toEqual([0, 0.5, -24.5, -0.5].map((start) => hours(start - margin)))
})

test.each([
  ['2026-11-20', []],
  [null, ['po 2026-11-18T23:30:00.000Z']],
])('a run for %s leaves %j of what was settled since', async (day, left) => {
  const { reconcile, differences, lines } = harness(day)
  await differences.record(earlierDifferences('2026-11-18T23:30:00.000Z'), from)
  lines.push(unpaid('po_later', hours(0.1)))
  while ((await reconcile()).type !== 'idle');
  expect(differences.all().map(({ subject }) => subject)).toEqual([...left, 'po_later'])
})

test('an earlier slice that the network can no longer read keeps its differences, and ends no run', async () => {
  const { reconcile, differences, state, slices } = harness('2026-11-20')
  const early = earlierDifferences('2026-08-18T23:30:00.000Z', '2026-11-19T23:30:00.000Z')
  await differences.record(early, from)
  state.keptFrom = hours(-48).getTime()
  for (let turn = 0; turn < 5; turn++) await reconcile()
  expect(slices).toMatchObject([
    { isLast: false, differences: 0 },
    { isLast: true, differences: 1 },
  ])
  expect(differences.all().map(({ scope }) => scope)).toEqual(['2026-08-18T23:30:00.000Z'])
})
