import type { Clock, Timer } from '@quipu/core'
import type { AuditLog } from '@quipu/core/operator'

export type FailedLoginsPorts = {
  readonly audit: Pick<AuditLog, 'recordFailedLogins'>
  readonly now: Clock
  readonly timer: Timer
  readonly inBackground: (work: Promise<unknown>) => void
}

const rowEveryMs = 60_000
/** Source addresses with a counter of their own; further ones share a counter. */
const sourcesMax = 1_000

/**
 * Records failed logins in the audit log: the first from a source address at once, later ones once a
 * minute with their count, so that an attack does not flood the table.
 */
export function failedLogins(ports: FailedLoginsPorts): (source: string) => void {
  const { audit, now, timer, inBackground } = ports
  /** Failures per source since its last row. */
  const since = new Map<string, number>()

  function write(source: string, failures: number): void {
    inBackground(audit.recordFailedLogins({ address: source, at: now(), failures }))
    since.set(source, 0)
    void timer(rowEveryMs).done.then(() => minuteOver(source))
  }
  function minuteOver(source: string): void {
    const failures = since.get(source) ?? 0
    if (failures > 0) write(source, failures)
    else since.delete(source)
  }

  return (address) => {
    const source = since.has(address) || since.size < sourcesMax ? address : 'others'
    const failures = since.get(source)
    if (failures === undefined) write(source, 1)
    else since.set(source, failures + 1)
  }
}
