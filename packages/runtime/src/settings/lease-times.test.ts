import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leaseTimes } from './lease-times.ts'

const settings = fc.integer({ min: 3, max: 300 })

test('a lease outlives two renewals, and a status call with time for the write after it', () => {
  fc.assert(
    fc.property(settings, (leaseSeconds) => {
      const { renewEveryMs, statusTimeoutMs } = leaseTimes(leaseSeconds)
      const leaseMs = leaseSeconds * 1000
      expect(2 * renewEveryMs).toBeLessThan(leaseMs)
      expect(statusTimeoutMs).toBeLessThanOrEqual(leaseMs - 1000)
      expect(Math.min(renewEveryMs, statusTimeoutMs)).toBeGreaterThanOrEqual(1000)
    }),
  )
})
