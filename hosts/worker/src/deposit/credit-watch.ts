import {
  type RaiseAlert,
  type Clock,
  type CreditFault,
  type LedgerCheck,
  type Timer,
  Unavailable,
} from '@quipu/core'
import type { CreditRecord } from '@quipu/core/adapter'
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

/** Older credits were compared when they were newer. */
const windowMs = 24 * 3_600_000
const maxCredits = 500
/** Blocks read in one poll: the scans need the provider's requests too. */
const maxReadings = 40
/** Readings without the credit before the alert, which rules out a node's passing fault. */
const readingsToDiffer = 3
/** The same while the node lacks the credit's block: it may be behind. */
const readingsWhileAbsent = 9

/**
 * Compares the credits of the last day with the chain, newest first, each until the chain has shown it.
 * Raises one alert for each credit that the chain does not show.
 *
 * An unavailable node or database is not reported: the next poll tries again.
 */
export function creditWatch(
  { check, faultOf, raiseAlert, now, timer, report }: CreditWatchPorts,
  { everySeconds }: CreditWatchSettings,
): PollingLoop {
  /** Evidence against each credit: 0 once the chain has shown it, 1 when its alert is raised. */
  let evidence = new Map<string, number>()

  const compare = async (): Promise<void> => {
    const newest = await check.credits(new Date(now().getTime() - windowMs), maxCredits)
    evidence = new Map(
      newest.flatMap(({ depositId: id }) => {
        const weight = evidence.get(id)
        return weight === undefined ? [] : [[id, weight] as const]
      }),
    )
    const open = newest.filter(({ depositId }) => isOpen(evidence.get(depositId)))
    for (const credit of open.slice(0, maxReadings)) {
      const fault = await faultOf(credit)
      const { depositId: subject, tenantId } = credit
      if (fault === null) {
        evidence.set(subject, 0)
        continue
      }
      const reading = 1 / (fault.isAbsent ? readingsWhileAbsent : readingsToDiffer)
      const weight = (evidence.get(subject) ?? 0) + reading
      evidence.set(subject, weight)
      if (!isOpen(weight))
        raiseAlert({ code: 'LEDGER_DIFFERENCE', tenantId, subject, detail: fault.detail })
    }
  }
  const poll = async (): Promise<number> => {
    await compare().catch((error: unknown) => {
      if (!(error instanceof Unavailable)) report(error)
    })
    return everySeconds * 1_000
  }
  return pollingLoop(poll, timer)
}

// Three thirds, or nine ninths, may add up to slightly less than 1.
const isOpen = (weight: number | undefined): boolean =>
  weight === undefined || (weight > 0 && weight < 0.999)
