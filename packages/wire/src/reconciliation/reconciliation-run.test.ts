import { anyId, anyInstant, anyText } from '@quipu/contracts'
import type { ReconciliationRun } from '@quipu/core/operator'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursorScope } from '../list/cursor.ts'
import { expectBoundCursors, queryOf, scopeOf } from '../list/query.fixture.ts'
import {
  parseReconciliation,
  parseReconciliationList,
  reconciliationRun,
  reconciliationRunToJson,
} from './reconciliation-run.ts'

const from = '2026-11-01T00:00:00Z'
const to = '2026-11-02T00:00:00Z'

function refusal(body: unknown): readonly string[] {
  const parsed = parseReconciliation(body)
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
}

test('a run of the network has a period, a run of the chain has none', () => {
  expect(parseReconciliation({ check: 'chain' })).toEqual({ ok: true, value: { check: 'chain' } })
  expect(parseReconciliation({ check: 'network', from, to })).toEqual({
    ok: true,
    value: { check: 'network', from: new Date(from), to: new Date(to) },
  })
})

test('the bounds of a period are rounded up to whole milliseconds', () => {
  const request = { check: 'network', from: '2026-11-01T00:00:00.0000001Z', to: '2026-11-02T00:00:00.0010001-04:00' }
  expect(parseReconciliation(request)).toMatchObject({
    value: { from: new Date('2026-11-01T00:00:00.001Z'), to: new Date('2026-11-02T04:00:00.002Z') },
  })
})

test('a period has at most 31 days', () => {
  const start = '2026-10-01T00:00:00.000Z'
  expect(refusal({ check: 'network', from: start, to: '2026-11-01T00:00:00.000Z' })).toEqual([])
  expect(refusal({ check: 'network', from: start, to: '2026-11-01T00:00:00.001Z' })).toEqual([
    'to must be at most 31 days after from',
  ])
})

const instantRule = 'must be an ISO 8601 instant with a zone, such as 2026-11-20T15:04:05.000Z'
const present = 'is not allowed for chain, which compares the present balances'

test.each([
  [{ check: 'network' }, 'from is required for network', 'to is required for network'],
  [{ check: 'network', to }, 'from is required for network'],
  [{ check: 'network', from }, 'to is required for network'],
  [{ check: 'network', from: to, to: from }, 'from must be before to'],
  [{ check: 'network', from, to: from }, 'from must be before to'],
  [{ check: 'network', from: '2026-11-01', to }, `from ${instantRule}`],
  [{ check: 'chain', from }, `from ${present}`],
  [{ check: 'chain', to }, `to ${present}`],
  [{ check: 'chain', from, to }, `from ${present}`, `to ${present}`],
  [{ check: 'ledger' }, 'check must be network or chain'],
  [{}, 'check is required and must be network or chain'],
  [{ check: 'chain', slices: 1 }, 'slices is not allowed here; allowed are check, from, to'],
])('a request of %j is refused: %s', (body, ...issues) => {
  expect(refusal(body)).toEqual(issues)
})

const anyPeriod = fc.record({ from: anyInstant, to: anyInstant })
const anyProgress = {
  id: anyId('rcn'),
  scheduledFor: fc.option(fc.constant('2026-11-19')),
  requestedBy: fc.option(anyText),
  createdAt: anyInstant,
  slices: fc.nat(),
  compared: fc.nat(),
  differences: fc.nat(),
  completedAt: fc.option(anyInstant),
  failure: fc.option(anyText),
  mac: fc.option(anyText),
}
const anyRun: fc.Arbitrary<ReconciliationRun> = fc.oneof(
  fc.record({
    ...anyProgress,
    check: fc.constant('network' as const),
    period: anyPeriod,
    position: anyInstant.map((at) => at.getTime()),
  }),
  fc.record({ ...anyProgress, check: fc.constant('chain' as const), period: fc.constant(null), position: fc.nat() }),
)

test('a run shows its period, its progress, and where its next slice begins', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const json = reconciliationRunToJson(run)
      expect(reconciliationRun.parse(json)).toEqual(json)
      expect(json).toEqual({
        id: run.id,
        check: run.check,
        status: run.completedAt ? 'completed' : 'running',
        from: run.period?.from.toISOString() ?? null,
        to: run.period?.to.toISOString() ?? null,
        reached: run.check === 'chain' ? `${run.position}` : new Date(run.position).toISOString(),
        slices: run.slices,
        compared: run.compared,
        differences: run.differences,
        failure: run.failure,
        scheduled_for: run.scheduledFor,
        requested_by: run.requestedBy,
        created_at: run.createdAt.toISOString(),
        completed_at: run.completedAt?.toISOString() ?? null,
      })
    }),
  )
})

test('a run has no other state, and counts that are not negative', () => {
  const [run] = fc.sample(anyRun, { numRuns: 1, seed: 1 })
  if (!run) throw new Error('no run was drawn')
  const json = reconciliationRunToJson(run)
  for (const changed of [{ status: 'failed' }, { slices: -1 }, { compared: -1 }, { check: 'ledger' }])
    expect(reconciliationRun.safeParse({ ...json, ...changed }).success).toBe(false)
})

test('the list takes a check, a state and a page, and its cursors are bound to both filters', () => {
  const list = (search: string) => queryOf(parseReconciliationList, search)
  expect(list('')).toEqual({ limit: 50 })
  expect(list('check=chain&limit=7')).toEqual({ limit: 7, check: 'chain' })
  expect(list('status=completed')).toEqual({ limit: 50, isCompleted: true })
  expect(list('status=running')).toEqual({ limit: 50, isCompleted: false })

  const searches = ['', 'check=chain', 'check=network', 'status=running', 'check=chain&status=running']
  expectBoundCursors(parseReconciliationList, searches, 'rcn_01K6HZ8M00000000000000000A')
  // Cursors stay valid as long as this does.
  expect(scopeOf(parseReconciliationList, 'check=chain&status=running')).toEqual(
    cursorScope('reconciliation_runs', 'operator', { check: 'chain', status: 'running' }),
  )
})

test.each(['check=ledger', 'status=open', 'limit=0', 'from=2026-11-01T00:00:00Z', 'cursor=x'])(
  'the list refuses %s in its query',
  (search) => {
    const [field] = search.split('=')
    expect(parseReconciliationList(search)).toMatchObject({ ok: false, issues: [{ field }] })
  },
)
