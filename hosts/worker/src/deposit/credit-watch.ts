import { type Clock, type CreditFault, type Ids, type Timer, Unavailable, usdt } from '@quipu/core'
import type { CreditRecord, DifferenceStore, LedgerCheck } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type CreditWatchPorts = {
  readonly check: Pick<LedgerCheck, 'credits'>
  /** Why the credit has no source on the chain; null when it has one. */
  readonly faultOf: (credit: CreditRecord) => Promise<CreditFault | null>
  readonly differences: Pick<DifferenceStore, 'record'>
  readonly ids: Ids
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
/**
 * The sum at which a credit is recorded as a difference: after three readings of its block without it, which rules out
 * a node's passing fault, or nine while the node lacks the block, since it may be behind.
 */
const evidenceForRecord = 9
const evidenceOfDifference = 3
const evidenceOfAbsence = 1

/**
 * Compares the credits of the last day with the chain, newest first, each until the chain has shown it.
 * Records a difference for each credit that the chain does not show.
 *
 * An unavailable node or database is not reported: the next poll tries again.
 */
export function creditWatch(
  { check, faultOf, differences, ids, now, timer, report }: CreditWatchPorts,
  { everySeconds }: CreditWatchSettings,
): PollingLoop {
  /** Evidence against each credit that was read; 0 once the chain has shown it. */
  let evidence = new Map<string, number>()
  /** Credits at which a poll ended, as their block was not read: they come last, so that they hide no other. */
  let unread = new Set<string>()

  const compare = async (): Promise<void> => {
    const newest = await check.credits(new Date(now().getTime() - windowMs), maxCredits)
    evidence = new Map(
      newest.flatMap(({ depositId: id }) => {
        const sum = evidence.get(id)
        return sum === undefined ? [] : [[id, sum] as const]
      }),
    )
    unread = new Set(newest.map(({ depositId }) => depositId).filter((id) => unread.has(id)))
    const open = newest
      .filter(({ depositId }) => isOpen(evidence.get(depositId)))
      .toSorted((a, b) => Number(unread.has(a.depositId)) - Number(unread.has(b.depositId)))
    for (const credit of open.slice(0, maxReadings)) {
      const { depositId } = credit
      unread.add(depositId)
      const fault = await faultOf(credit)
      unread.delete(depositId)
      if (fault === null) {
        evidence.set(depositId, 0)
        continue
      }
      const found = fault.isAbsent ? evidenceOfAbsence : evidenceOfDifference
      const sum = (evidence.get(depositId) ?? 0) + found
      if (!isOpen(sum)) await recordFault(credit, fault)
      evidence.set(depositId, sum)
    }
  }
  const recordFault = async (
    { depositId, tenantId, deposit }: CreditRecord,
    { detail }: CreditFault,
  ): Promise<void> => {
    const at = now()
    const about = { check: 'ledger', kind: 'credit', scope: depositId, subject: depositId } as const
    const amounts = { expected: null, found: usdt(deposit.amount.minor) }
    await differences.record([{ id: ids.next('dif', at), ...about, tenantId, detail, ...amounts }], at)
  }
  const poll = async (): Promise<number> => {
    await compare().catch((error: unknown) => {
      if (!(error instanceof Unavailable)) report(error)
    })
    return everySeconds * 1_000
  }
  return pollingLoop(poll, timer)
}

/** Whether the credit was neither shown by the chain nor recorded as a difference. */
const isOpen = (sum: number | undefined): boolean => sum === undefined || (sum > 0 && sum < evidenceForRecord)
