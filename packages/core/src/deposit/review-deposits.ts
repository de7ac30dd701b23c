import type { EncodeEvent } from '../event/event.ts'
import type { Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import { creditDeposit, depositAsCommitted } from './credit-deposit.ts'
import type { ClosedReview, CreditedDeposit, Deposit } from './deposit.ts'
import type { DepositCommit, DepositStore } from './ports.ts'
import { recordDepositStep } from './record-deposit-step.ts'
import { closeReview, isCreditableReview, isOpenReview, type OpenReview } from './resolve-review.ts'

/** The ports of `reviewDeposits`. */
export type ReviewDepositsPorts = {
  readonly deposits: Pick<DepositStore, 'find' | 'commit'>
  readonly encodeEvent: EncodeEvent
  readonly ids: Ids
  readonly now: Clock
}

/** Why a review cannot be resolved this way. */
export type ReviewRefusal =
  | 'not_found'
  /** The deposit is pending: solid blocks have not decided it. */
  | 'not_in_review'
  /** The deposit is credited or closed. */
  | 'already_resolved'
  /** The transfer was dropped, or its amount does not fit into the ledger. */
  | 'not_creditable'

/** The resolved deposit, or why nothing was written. */
export type ReviewResult<D extends Deposit> =
  | { readonly type: 'resolved'; readonly deposit: D }
  | { readonly type: 'refused'; readonly code: ReviewRefusal }

/** How an operator resolves deposits in review; the audit log records actor and reason. */
export type ReviewDeposits = {
  /** Credits the deposit, with an event. */
  credit(actor: string, id: string, reason: string): Promise<ReviewResult<CreditedDeposit>>
  /** Closes the review without a credit: the deposit stays `in_review`. */
  close(actor: string, id: string, reason: string): Promise<ReviewResult<ClosedReview>>
}

/**
 * Resolves deposits in review.
 *
 * @source spec §3 Deposit statuses: an operator resolves the deposit
 * @example
 * ```ts
 * const review = reviewDeposits(ports)
 * const { items } = await ports.deposits.listAll({ status: 'in_review', open: true, limit: 10 })
 * for (const { id } of items) await review.close('ana', id, 'Returned to the sender.')
 * const result = await review.credit('ana', 'dep_of_nobody', 'The sender is confirmed.')
 * console.log(result) // { type: 'refused', code: 'not_found' }
 * ```
 */
export const reviewDeposits = (ports: ReviewDepositsPorts): ReviewDeposits => ({
  credit: (actor, id, reason) =>
    resolve(ports, id, (deposit) => {
      if (!isCreditableReview(deposit)) return 'not_creditable'
      const step = recordDepositStep(ports, creditDeposit(deposit, ports.now()))
      return { kind: 'credit', step, actor, reason }
    }),
  close: (actor, id, reason) =>
    resolve(ports, id, (deposit) => ({
      kind: 'close',
      step: closeReview(deposit, { at: ports.now(), actor, reason }),
    })),
})

/** Commits the resolution; starts again when another write came first. */
async function resolve<Write extends DepositCommit>(
  { deposits }: ReviewDepositsPorts,
  id: string,
  make: (deposit: OpenReview) => Write | ReviewRefusal,
): Promise<ReviewResult<Write['step']['deposit']>> {
  for (;;) {
    const deposit = await deposits.find(id)
    const write = writeFor(deposit, make)
    if (typeof write === 'string') return { type: 'refused', code: write }
    const committed = await deposits.commit(write)
    if (committed === 'committed' || typeof committed === 'object')
      return { type: 'resolved', deposit: depositAsCommitted(write.step.deposit, committed) }
  }
}

function writeFor<Write>(
  deposit: Deposit | undefined,
  make: (deposit: OpenReview) => Write | ReviewRefusal,
): Write | ReviewRefusal {
  if (!deposit) return 'not_found'
  if (deposit.status === 'pending') return 'not_in_review'
  if (deposit.status === 'credited' || !isOpenReview(deposit)) return 'already_resolved'
  return make(deposit)
}
