import { bob } from '@quipu/core'
import type { Difference } from '@quipu/core/operator'
import * as example from '../openapi/example.ts'

/** A payment that the network has and Quipu does not. */
export const foundDifference: Difference = {
  id: `dif_${example.ulid('0N')}`,
  check: 'network',
  kind: 'missing_here',
  scope: '',
  tenantId: example.tenant.id,
  subject: example.completed.id,
  detail: 'paid once more',
  expected: null,
  found: bob(10000n),
  foundAt: example.at(10),
  lastSeenAt: example.at(20),
  goneAt: null,
  closure: null,
  status: 'open',
  change: 1n,
}
