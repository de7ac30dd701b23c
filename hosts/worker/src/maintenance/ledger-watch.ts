import type { RaiseAlert } from '@quipu/core'
import { auditStart, type LedgerCheck } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { LoopTiming } from '../loop/system-timing.ts'

export type LedgerWatchPorts = LoopTiming & {
  readonly check: LedgerCheck
  readonly raiseAlert: RaiseAlert
  readonly report: (error: unknown) => void
}

export type LedgerWatchSettings = {
  /** A wallet is checked again this long after its last check. */
  readonly everySeconds: number
}

const slice = { wallets: 10, postings: 1_000 }
const auditEntries = 100
/** Rests nine times as long as a slice takes, so that the check uses a tenth of the time at most. */
const restPerWork = 9
const idleMs = 1_000
const pauseAfterFailureMs = 5_000

/**
 * Checks the ledger slice by slice until it is stopped, and raises one alert for each difference.
 *
 * A restarted process raises the alerts of all stored differences again.
 */
export function ledgerWatch(
  ports: LedgerWatchPorts,
  { everySeconds }: LedgerWatchSettings,
): PollingLoop {
  const { check, raiseAlert, timer, monotonic, report } = ports
  let lastDifference = 0n
  let lastAuditEntry = auditStart

  const raiseAlerts = async (): Promise<void> => {
    for (const { id, tenantId, subject, detail } of await check.differences(lastDifference)) {
      raiseAlert({ code: 'LEDGER_DIFFERENCE', tenantId, subject, detail })
      lastDifference = id
    }
  }
  const checkSlice = async (): Promise<number> => {
    const startedAt = monotonic()
    const checked = await check.wallets({ ...slice, everySeconds })
    lastAuditEntry = (await check.auditLog(lastAuditEntry, auditEntries)) ?? auditStart
    await raiseAlerts()
    const restMs = restPerWork * (monotonic() - startedAt)
    return checked < slice.wallets ? Math.max(idleMs, restMs) : restMs
  }
  const poll = (): Promise<number> =>
    checkSlice().catch((error: unknown) => {
      report(error)
      return pauseAfterFailureMs
    })
  return pollingLoop(poll, timer)
}
