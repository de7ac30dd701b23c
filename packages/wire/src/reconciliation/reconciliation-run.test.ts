import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { parseReconciliation, reconciliationRunToJson } from './reconciliation-run.ts'

const from = '2026-11-01T00:00:00Z'
const to = '2026-11-02T00:00:00Z'

const refusal = (body: unknown) => issuesOf(parseReconciliation(body))

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

test('a run shows its period, and where its next slice begins: an instant, or the index of an address', () => {
  const progress = { slices: 2, compared: 3, differences: 1, failure: null, mac: null, scheduledFor: null }
  const run = { ...progress, id: 'rcn_1', requestedBy: 'ana', createdAt: new Date(0), completedAt: null }
  const period = { from: new Date(from), to: new Date(to) }
  const network = { ...run, check: 'network', period, position: period.from.getTime() + 1 } as const
  expect(reconciliationRunToJson(network)).toMatchObject({
    status: 'running',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-02T00:00:00.000Z',
    reached: '2026-11-01T00:00:00.001Z',
  })
  const chain = { ...run, check: 'chain', period: null, position: 4250, completedAt: new Date(0) } as const
  expect(reconciliationRunToJson(chain)).toMatchObject({ status: 'completed', from: null, to: null, reached: '4250' })
})
