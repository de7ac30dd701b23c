import { expect, test } from 'vitest'
import { visibilitySeconds } from './webhook-queue.ts'

test.each([3, 30, 3_600])(
  'a message stays invisible for a lease of %s s, and as long before it',
  (WEBHOOK_LEASE_SECONDS) => {
    expect(visibilitySeconds({ WEBHOOK_LEASE_SECONDS })).toBeGreaterThanOrEqual(2 * WEBHOOK_LEASE_SECONDS)
  },
)
