import { bob } from '../money.ts'
import type { Difference, DifferenceClosure } from './difference.ts'

export const foundAt: Date = new Date('2026-11-21T12:00:00.000Z')

/** An open difference of a tenant: the network paid 1.00 BOB more than the payout. */
export const openDifference: Difference = {
  id: 'dif_1',
  check: 'network',
  kind: 'other_amount',
  scope: '2026-11-20',
  tenantId: 'ten_1',
  subject: 'po_1',
  detail: '101.00 BOB instead of 100.00 BOB',
  expected: bob(10000n),
  found: bob(10100n),
  foundAt,
  lastSeenAt: foundAt,
  goneAt: null,
  closure: null,
  status: 'open',
  change: 1n,
}

export const closure: DifferenceClosure = {
  by: 'ana',
  at: new Date('2026-11-22T08:00:00.000Z'),
  reason: 'The network returned it.',
  proposalId: null,
}
