import type { RaiseAlert, LedgerCheck, Timer } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type LedgerWatchPorts = {
  readonly check: LedgerCheck
  readonly raiseAlert: RaiseAlert
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

export type LedgerWatchSettings = {
  /** How long ago a wallet was checked when it is checked again. */
  readonly everySeconds: number
}

const slice = { wallets: 10, postings: 1_000 }
const entries = 100
/** The check may keep the database busy for a tenth of the time. */
const restPerWork = 9
const idleMs = 1_000
const faultMs = 5_000

/**
 * Checks the ledger slice by slice for as long as it runs, and raises an alert for each difference, once.
 *
 * A process that starts anew raises those again that are still there.
 */
export function ledgerWatch(
  ports: LedgerWatchPorts,
  { everySeconds }: LedgerWatchSettings,
): PollingLoop {
  const { check, raiseAlert, timer, report } = ports
  let [known, entry] = [0n, 0n]

  const raise = async (): Promise<void> => {
    for (const { id, tenantId, subject, detail } of await check.differences(known)) {
      raiseAlert({ code: 'LEDGER_DIFFERENCE', tenantId, subject, detail })
      known = id
    }
  }
  const round = async (): Promise<number> => {
    const startedAt = performance.now()
    const checked = await check.wallets({ ...slice, everySeconds })
    entry = (await check.auditLog(entry, entries)) ?? 0n
    await raise()
    const restMs = restPerWork * (performance.now() - startedAt)
    return checked < slice.wallets ? Math.max(idleMs, restMs) : restMs
  }
  const roundOrRest = (): Promise<number> =>
    round().catch((error: unknown) => {
      report(error)
      return faultMs
    })
  return pollingLoop(roundOrRest, timer)
}
