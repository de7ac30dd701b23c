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

type Hindered = 'quotes' | 'payments' | 'deposits'

/** The parts of it that each fault hinders. */
const hindered: Readonly<Record<FaultCode, readonly Hindered[]>> = {
  PROCESS_MISSING: [],
  NO_WORKER: [],
  CLOCK_APART: [],
  LEDGER_UNCHECKED: [],
  SCAN_BEHIND: ['deposits'],
  DEPOSITS_BEHIND: ['deposits'],
  NOTICES_BEHIND: [],
  REVIEWS_WAIT: [],
  REVIEWS_LARGE: [],
  ALERTS_BEHIND: [],
  LOCK_HELD: [],
  TOKEN_ENDS_SOON: [],
  RECONCILIATION_LATE: [],
  RECONCILIATION_EMPTY: [],
  NETWORK_CHANGED: ['quotes', 'payments'],
  RATE_SOURCE_FAILED: [],
  RATE_SOURCES_DISAGREE: [],
  RATE_UNAVAILABLE: ['quotes'],
  EXPOSURE_ABOVE_LIMIT: [],
  PAYMENTS_HALTED: ['payments'],
  PAYMENTS_UNCHECKED: ['payments'],
  PAYOUTS_STOPPED: ['payments'],
}

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
    const has = (kind: Hindered): boolean => faults.some(({ code }) => hindered[code].includes(kind))
    return {
      quotes: status === 'paused' || has('quotes') ? 'unavailable' : 'available',
      payments: has('payments') ? 'unavailable' : 'available',
      deposits: has('deposits') ? 'late' : 'on_time',
      checkedAt: now(),
    }
  }
  return recentReading(read, statusSeconds * 1_000, monotonic)
}
