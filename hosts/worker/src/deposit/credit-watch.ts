import {
  type RaiseAlert,
  type Clock,
  type CreditFault,
  type CreditRecord,
  type LedgerCheck,
  type Timer,
  Unavailable,
} from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type CreditWatchPorts = {
  readonly check: Pick<LedgerCheck, 'credits'>
  /** Why the credit has no source on the chain; null when it has one. */
  readonly faultOf: (credit: CreditRecord) => Promise<CreditFault | null>
  readonly raiseAlert: RaiseAlert
  readonly now: Clock
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

export type CreditWatchSettings = { readonly everySeconds: number }

/** Credits that are older were compared by the worker that ran then. */
const lookBackMs = 24 * 3_600_000
const credits = 500
/** Blocks that are read in one round: the provider is needed for the scans too. */
const readings = 40
/** What a node does not show so often is no passing fault of it; while it lacks the block, so often. */
const [readingsToDiffer, readingsWhileAbsent] = [3, 9]

/**
 * Compares the credits of the last day with the chain, the newest first and each one until the chain has
 * shown it, and raises an alert for each that the chain does not show, once.
 */
export function creditWatch(
  { check, faultOf, raiseAlert, now, timer, report }: CreditWatchPorts,
  { everySeconds }: CreditWatchSettings,
): PollingLoop {
  /** Doubt about each: 0 once the chain has shown it, 1 when the alert is raised. */
  let doubts = new Map<string, number>()

  const round = async (): Promise<void> => {
    const newest = await check.credits(new Date(now().getTime() - lookBackMs), credits)
    doubts = new Map(
      newest.flatMap(({ depositId: id }) => {
        const doubt = doubts.get(id)
        return doubt === undefined ? [] : [[id, doubt] as const]
      }),
    )
    const open = newest.filter(({ depositId }) => isOpen(doubts.get(depositId)))
    for (const credit of open.slice(0, readings)) {
      const fault = await faultOf(credit)
      const { depositId: subject, tenantId } = credit
      if (fault === null) {
        doubts.set(subject, 0)
        continue
      }
      const reading = 1 / (fault.isAbsent ? readingsWhileAbsent : readingsToDiffer)
      const doubt = (doubts.get(subject) ?? 0) + reading
      doubts.set(subject, doubt)
      if (!isOpen(doubt))
        raiseAlert({ code: 'LEDGER_DIFFERENCE', tenantId, subject, detail: fault.detail })
    }
  }
  const roundOrReport = async (): Promise<number> => {
    await round().catch((error: unknown) => {
      if (!(error instanceof Unavailable)) report(error)
    })
    return everySeconds * 1_000
  }
  return pollingLoop(roundOrReport, timer)
}

const isOpen = (doubt: number | undefined): boolean =>
  doubt === undefined || (doubt > 0 && doubt < 0.999)
