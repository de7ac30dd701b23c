import type { FaultCode } from '../alert.ts'
import type { QuotingStore } from '../quote/ports.ts'
import { recentReading } from '../recent-reading.ts'
import type { Clock, Monotonic } from '../time.ts'
import type { FindFaults } from './find-faults.ts'

/** Whether tenants can do what they do most. */
export type ServiceStatus = {
  readonly quotes: 'available' | 'unavailable'
  readonly payments: 'available' | 'unavailable'
  readonly deposits: 'on_time' | 'late'
  readonly checkedAt: Date
}

/** The ports of `serviceStatus`. */
export type ServiceStatusPorts = {
  readonly findFaults: FindFaults
  readonly quoting: Pick<QuotingStore, 'get'>
  readonly now: Clock
  readonly monotonic: Monotonic
}

/** How long an answer is given again. */
export const statusSeconds = 5

const quoteFaults: readonly FaultCode[] = ['RATE_UNAVAILABLE', 'NETWORK_CHANGED']
const paymentFaults: readonly FaultCode[] = [
  'PAYMENTS_HALTED',
  'PAYMENTS_UNCHECKED',
  'PAYOUTS_STOPPED',
  'NETWORK_CHANGED',
]
const depositFaults: readonly FaultCode[] = ['SCAN_BEHIND', 'DEPOSITS_BEHIND']

/**
 * Reads whether quotes, payments and deposits work, for tenants: without a reason. It reads the store once in
 * `statusSeconds`, however often it is called.
 *
 * @returns a function that throws `Unavailable` when the store cannot be read
 * @example
 * ```ts
 * const status = serviceStatus({ ...ports, findFaults: async () => [] })
 * console.log((await status()).payments) // available
 * ```
 */
export function serviceStatus({
  findFaults,
  quoting,
  now,
  monotonic,
}: ServiceStatusPorts): () => Promise<ServiceStatus> {
  const read = async (): Promise<ServiceStatus> => {
    const [faults, { status }] = await Promise.all([findFaults(), quoting.get()])
    const has = (codes: readonly FaultCode[]): boolean => faults.some(({ code }) => codes.includes(code))
    return {
      quotes: status === 'paused' || has(quoteFaults) ? 'unavailable' : 'available',
      payments: has(paymentFaults) ? 'unavailable' : 'available',
      deposits: has(depositFaults) ? 'late' : 'on_time',
      checkedAt: now(),
    }
  }
  return recentReading(read, statusSeconds * 1_000, monotonic)
}
