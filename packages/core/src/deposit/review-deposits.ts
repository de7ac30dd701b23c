import type { RecordEventPorts } from '../event/record-event.ts'
import { depositAsCommitted, creditDeposit } from './credit-deposit.ts'
import type { ClosedReview, CreditedDeposit, Deposit } from './deposit.ts'
import type { DepositCommit, DepositStore } from './ports.ts'
import { recordDepositStep } from './record-deposit-step.ts'
import { closeReview, isCreditableReview, isOpenReview, type OpenReview } from './resolve-review.ts'

export type ReviewDepositsPorts = RecordEventPorts & {
  readonly deposits: Pick<DepositStore, 'find' | 'commit'>
}

/** Why a review cannot be resolved so. */
export type ReviewRefusal =
  | 'not_found'
  /** It is pending: the chain decides first. */
  | 'not_in_review'
  /** It was credited or closed before. */
  | 'already_resolved'
  /** Its transfer was dropped, or its amount does not fit into the ledger. */
  | 'not_creditable'

export type ReviewResult<D extends Deposit> =
  | { readonly type: 'resolved'; readonly deposit: D }
  | { readonly type: 'refused'; readonly code: ReviewRefusal }

/** What an operator does to deposits in review; both are in the audit log, with the reason. */
export type ReviewDeposits = {
  /** Its amount enters the wallet, and the tenant is told. */
  credit(actor: string, id: string, reason: string): Promise<ReviewResult<CreditedDeposit>>
  /** It stays in review for the tenant. */
  close(actor: string, id: string, reason: string): Promise<ReviewResult<ClosedReview>>
}

/** @source spec §3 Deposit statuses: an operator resolves the deposit */
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

/** Makes the write from the deposit as it is, and again when somebody was faster. */
async function resolve<Write extends DepositCommit>(
  { deposits }: ReviewDepositsPorts,
  id: string,
  make: (deposit: OpenReview) => Write | ReviewRefusal,
): Promise<ReviewResult<Write['step']['deposit']>> {
  for (;;) {
    const deposit = await deposits.find(id)
    const write = reviewOf(deposit, make)
    if (typeof write === 'string') return { type: 'refused', code: write }
    const committed = await deposits.commit(write)
    if (committed === 'committed' || typeof committed === 'object')
      return { type: 'resolved', deposit: depositAsCommitted(write.step.deposit, committed) }
  }
}

function reviewOf<Write>(
  deposit: Deposit | undefined,
  make: (deposit: OpenReview) => Write | ReviewRefusal,
): Write | ReviewRefusal {
  if (!deposit) return 'not_found'
  if (deposit.status === 'pending') return 'not_in_review'
  if (deposit.status === 'credited' || !isOpenReview(deposit)) return 'already_resolved'
  return make(deposit)
}
