import type { EncodeEventOf } from '../event/event.ts'
import type { ClosedReview, CreditedDeposit, Deposit, DepositEvent, DepositReturn } from './deposit.ts'
import { type Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import { untilCommitted } from '../until-committed.ts'
import { creditDeposit, depositAsCommitted } from './credit-deposit.ts'
import type { DepositCommit, DepositStore, ReviewAuthor } from './ports.ts'
import { recordDepositStep } from './record-deposit-step.ts'
import { closeReview, isCreditableReview, isOpenReview, type OpenReview } from './resolve-review.ts'

/** The ports of `reviewDeposits`. */
export type ReviewDepositsPorts = {
  readonly deposits: Pick<DepositStore, 'find' | 'commit'>
  readonly encodeEvent: EncodeEventOf<DepositEvent>
  readonly ids: Ids
  readonly now: Clock
}

/** Why the deposit's state allows no such resolution. */
export type StateRefusal =
  | 'not_found'
  /** The deposit is pending: solid blocks have not decided it. */
  | 'not_in_review'
  /** The deposit is credited or closed. */
  | 'already_resolved'
  /** The transfer was dropped, or its amount does not fit into the ledger. */
  | 'not_creditable'

/** Why a review was not resolved. `transaction_used`: it has sent another deposit back. `not_approved`: there is no approved proposal of exactly this resolution. */
export type ReviewRefusal = StateRefusal | 'not_approved' | 'transaction_used'

/** The resolved deposit, or why nothing was written. */
export type ReviewResult<D extends Deposit> =
  | { readonly type: 'resolved'; readonly deposit: D }
  | { readonly type: 'refused'; readonly code: ReviewRefusal }

/** How deposits in review are resolved, each by an approved proposal. */
export type ReviewDeposits = {
  /** Credits the deposit, with an event. */
  credit(author: ReviewAuthor, id: string): Promise<ReviewResult<CreditedDeposit>>
  /** Closes the review without a credit, with an event: the deposit stays `in_review`. */
  close(author: ReviewAuthor, id: string): Promise<ReviewResult<ClosedReview>>
  /** Closes it because its tokens were sent back. */
  return(author: ReviewAuthor, id: string, returned: DepositReturn): Promise<ReviewResult<ClosedReview>>
}

/** Resolves deposits in review. @source spec §3 Deposit statuses: an operator resolves the deposit */
export function reviewDeposits(ports: ReviewDepositsPorts): ReviewDeposits {
  return {
    credit: (author, id) =>
      resolve(ports, id, (deposit) => {
        if (!isCreditableReview(deposit)) return 'not_creditable'
        const step = recordDepositStep(ports, creditDeposit(deposit, ports.now()))
        return { kind: 'credit', step, ...author }
      }),
    close: (author, id) => resolve(ports, id, (deposit) => closing(ports, author, deposit)),
    return: (author, id, returned) =>
      resolve(ports, id, (deposit) =>
        isCreditableReview(deposit) ? { ...closing(ports, author, deposit), returned } : 'not_creditable',
      ),
  }
}

function closing(
  ports: ReviewDepositsPorts,
  { proposalId, actor, reason }: ReviewAuthor,
  deposit: OpenReview,
): Extract<DepositCommit, { kind: 'close' }> {
  const step = closeReview(deposit, { at: ports.now(), actor, reason })
  return { kind: 'close', step: recordDepositStep(ports, step), proposalId, actor, reason }
}

/** Commits the resolution; starts again when another write came first. */
async function resolve<Write extends DepositCommit>(
  { deposits }: ReviewDepositsPorts,
  id: string,
  make: (deposit: OpenReview) => Write | StateRefusal,
): Promise<ReviewResult<Write['step']['deposit']>> {
  return untilCommitted(async () => {
    const deposit = await deposits.find(id)
    const write = writeFor(deposit, make)
    if (typeof write === 'string') return { type: 'refused', code: write }
    const committed = await deposits.commit(write)
    if (committed === 'not_approved' || committed === 'transaction_used') return { type: 'refused', code: committed }
    return committed === 'committed' || typeof committed === 'object'
      ? { type: 'resolved', deposit: depositAsCommitted(write.step.deposit, committed) }
      : 'stale'
  })
}

function writeFor<Write>(
  deposit: Deposit | undefined,
  make: (deposit: OpenReview) => Write | StateRefusal,
): Write | StateRefusal {
  if (!deposit) return 'not_found'
  if (deposit.status === 'pending') return 'not_in_review'
  if (deposit.status === 'credited' || !isOpenReview(deposit)) return 'already_resolved'
  return make(deposit)
}

/** Why the deposit cannot be credited or returned (`isCredit`), or closed, as it now stands; null when it can. */
export const reviewRefusal = (deposit: Deposit | undefined, isCredit: boolean): StateRefusal | null =>
  writeFor(deposit, (open) => (isCredit && !isCreditableReview(open) ? 'not_creditable' : null))
