import { auditStart, type LedgerCheck } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { LoopTiming } from '../loop/system-timing.ts'

export type LedgerWatchPorts = LoopTiming & {
  readonly check: LedgerCheck
  readonly report: (error: unknown) => void
}

export type LedgerWatchSettings = {
  /** A wallet is checked again this long after its last check. */
  readonly everySeconds: number
}

/** A million idle wallets are checked within a day (ADR 58). */
const slice = { wallets: 100, postings: 1_000 }
const auditEntries = 100
/** Rests nine times as long as a slice takes, so that the check uses a tenth of the time at most. */
const restPerWork = 9
const idleMs = 1_000
const pauseAfterFailureMs = 5_000

/**
 * Checks the ledger slice by slice until it is stopped. The check records what it finds (`raiseDifferences`
 * alerts it).
 */
export function ledgerWatch(
  ports: LedgerWatchPorts,
  { everySeconds }: LedgerWatchSettings,
): PollingLoop {
  const { check, timer, monotonic, report } = ports
  let lastAuditEntry = auditStart

  const checkSlice = async (): Promise<number> => {
    const startedAt = monotonic()
    const checked = await check.wallets({ ...slice, everySeconds })
    lastAuditEntry = (await check.auditLog(lastAuditEntry, auditEntries)) ?? auditStart
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
