import { expect, test } from 'vitest'
import { reconciliationRequested } from './audit-request.ts'
import type { NewReconciliationRun } from './run.ts'
import { originOf } from '../audit/operator.fixture.ts'

const createdAt = new Date('2026-11-23T12:00:00.000Z')
const run: NewReconciliationRun = {
  id: 'rcn_1',
  check: 'chain',
  period: null,
  scheduledFor: null,
  requestedBy: 'ana',
  createdAt,
  position: 0,
}
const entry = {
  ...originOf('ana'),
  action: 'reconciliation.request',
  tenantId: null,
  subject: 'rcn_1',
  at: createdAt,
  before: null,
}

test('the entry of a requested run has its check, and its period if it has one', () => {
  expect(reconciliationRequested(run, originOf('ana'))).toStrictEqual({ ...entry, after: { check: 'chain' } })
  const from = new Date('2026-11-20T00:00:00.000Z')
  const to = new Date('2026-11-20T10:30:00.001Z')
  expect(reconciliationRequested({ ...run, check: 'network', period: { from, to } }, originOf('ana'))).toStrictEqual({
    ...entry,
    after: { check: 'network', from: from.toISOString(), to: to.toISOString() },
  })
})
