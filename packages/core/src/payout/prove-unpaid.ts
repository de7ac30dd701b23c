import type { NetworkStore } from '../network/network-store.ts'
import type { NetworkAnswer, QrNetwork } from '../network/qr-network.ts'
import type { Clock } from '../time.ts'
import type { ProcessingPayout } from './payout.ts'

/** The payouts completed in a period, as `ReconciliationStore` reads them. */
export type CompletedPayments = {
  completedPayments(period: {
    readonly from: Date
    readonly to: Date
  }): AsyncIterable<
    readonly {
      readonly payoutId: string
      readonly isRefunded: boolean
      readonly isElsewhere: boolean
      readonly createdAt: Date
      readonly endedAt: Date | null
    }[]
  >
}

export type ProveUnpaidPorts = {
  readonly network: Pick<QrNetwork, 'statement'>
  readonly networks: Pick<NetworkStore, 'knownPayment'>
  readonly reconciliations: CompletedPayments
  readonly now: Clock
}

const dayMs = 86_400_000

/**
 * Reads the statement from the day of the order on, for a payout that has been open for longer than `afterSeconds`.
 *
 * Its absence proves that nothing was paid only in a statement that is complete and of the same account: every payout that
 * the books have as completed since the order is there, unless it is younger than the delay, and at least one was
 * accepted after it. Never after another network was confirmed.
 *
 * @returns the payment that is listed; `cancelled` when its absence is a proof; undefined when it proves nothing
 * @throws Unavailable when the statement or the database cannot be read
 */
export async function proveUnpaid(
  ports: ProveUnpaidPorts,
  { tenantId, id, createdAt }: ProcessingPayout,
  afterSeconds: number,
): Promise<NetworkAnswer | undefined> {
  const { network, networks, reconciliations, now } = ports
  if (!(await networks.knownPayment({ tenantId, payoutId: id })).isCurrent) return undefined
  const period = { from: new Date(createdAt.getTime() - dayMs), to: now() }
  const listed = new Set<string>()
  let answer: NetworkAnswer | undefined
  for await (const { type, reference, amount, paymentId } of network.statement(period.from, period.to)) {
    if (type === 'payment') listed.add(reference)
    if (reference !== id || answer?.type === 'returned') continue
    answer = type === 'return' ? { type: 'returned' } : { type: 'paid', amount, paymentId }
  }
  if (answer !== undefined) return answer
  const settledBy = period.to.getTime() - afterSeconds * 1000
  let hasLater = false
  // A store may date an end later than this process's clock.
  const ended = { from: createdAt, to: new Date(period.to.getTime() + dayMs) }
  for await (const page of reconciliations.completedPayments(ended)) {
    for (const payment of page) {
      if (payment.isElsewhere || payment.isRefunded) continue
      if (listed.has(payment.payoutId)) hasLater ||= payment.createdAt > createdAt
      else if (payment.createdAt >= period.from && (payment.endedAt?.getTime() ?? 0) <= settledBy) return undefined
    }
  }
  return hasLater ? { type: 'cancelled' } : undefined
}
