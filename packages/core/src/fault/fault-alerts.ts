import type { RaiseAlert, FaultCode } from '../alert.ts'
import type { Monotonic } from '../time.ts'
import type { Fault } from './fault.ts'

/** The ports of `faultAlerts`. */
export type FaultAlertsPorts = {
  readonly raiseAlert: RaiseAlert
  readonly monotonic: Monotonic
  /** Called once for a fault that was alerted and is over. */
  readonly ended: (fault: Fault, seconds: number) => void
}

/** How long a fault of a code must last before its alert; 0 when left out. */
export type LastingSeconds = Readonly<Partial<Record<FaultCode, number>>>

/**
 * Raises one alert for each fault that has lasted long enough, and reports its end.
 *
 * @returns a function to call with all faults, each time they were found; it returns those that are alerted
 * @example
 * ```ts
 * const raiseAlert = (alert: { readonly code: string }) => console.log(alert.code) // NO_WORKER
 * const found = faultAlerts({ ...ports, raiseAlert, ended: () => undefined }, {})
 * found([{ code: 'NO_WORKER', subject: 'worker', detail: 'no worker has run for 30 s' }])
 * ```
 */
export function faultAlerts(
  ports: FaultAlertsPorts,
  lastingSeconds: LastingSeconds,
): (found: readonly Fault[]) => readonly Fault[] {
  const { raiseAlert, monotonic, ended } = ports

  type Lasting = { readonly fault: Fault; readonly since: number; isRaised: boolean }
  const known = new Map<string, Lasting>()
  const keyOf = ({ code, subject }: Fault): string => `${code} ${subject}`

  return (found) => {
    const now = monotonic()
    const keys = new Set(found.map(keyOf))
    for (const [key, { fault, since, isRaised }] of known) {
      if (keys.has(key)) continue
      known.delete(key)
      if (isRaised) ended(fault, Math.round((now - since) / 1000))
    }
    for (const fault of found) {
      const key = keyOf(fault)
      const state = known.get(key) ?? { fault, since: now, isRaised: false }
      known.set(key, state)
      const lasting = (lastingSeconds[fault.code] ?? 0) * 1000
      if (state.isRaised || now - state.since < lasting) continue
      state.isRaised = true
      raiseAlert({ ...fault, tenantId: null })
    }
    return found.filter((fault) => known.get(keyOf(fault))?.isRaised)
  }
}
