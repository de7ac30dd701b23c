import { expect, test } from 'vitest'
import { claimQuery } from './webhook-loops.ts'

test('each limit of a claim comes from its own setting', () => {
  const query = claimQuery({
    WEBHOOK_LEASE_SECONDS: 1,
    WEBHOOK_PER_ENDPOINT: 2,
    WEBHOOK_PER_TENANT: 3,
    WEBHOOK_CATCH_UP_PER_SECOND: 4,
  })
  expect(query).toEqual({ leaseSeconds: 1, perEndpoint: 2, perTenant: 3, catchUpPerSecond: 4 })
})
