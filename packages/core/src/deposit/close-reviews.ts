import { usdt, type Usdt } from '../money.ts'
import type { DepositStore, ReviewAuthor } from './ports.ts'
import { recordDepositStep } from './record-deposit-step.ts'
import { closeReview, isOpenReview, type OpenReview } from './resolve-review.ts'
import type { ReviewDepositsPorts } from './review-deposits.ts'

/** The ports of `closeReviews`. */
export type CloseReviewsPorts = Pick<ReviewDepositsPorts, 'encodeEvent' | 'ids' | 'now'> & {
  readonly deposits: Pick<DepositStore, 'find' | 'closeReviews'>
}

/** The open reviews of the tenant among these deposits, and the ids of all others. */
export async function openReviews(
  { deposits }: { readonly deposits: Pick<DepositStore, 'find'> },
  tenantId: string,
  depositIds: readonly string[],
): Promise<{ readonly open: readonly OpenReview[]; readonly notOpen: readonly string[] }> {
  const found = await Promise.all(depositIds.map((id) => deposits.find(id)))
  const open = found.filter(
    (deposit): deposit is OpenReview =>
      deposit?.tenantId === tenantId && deposit.status === 'in_review' && isOpenReview(deposit),
  )
  const openIds = new Set(open.map(({ id }) => id))
  return { open, notOpen: depositIds.filter((id) => !openIds.has(id)) }
}

/** The amount of all the reviews. */
export const totalOf = (reviews: readonly OpenReview[]): Usdt =>
  usdt(reviews.reduce((sum, { amount }) => sum + amount.minor, 0n))

/** Closes deposits in review of one tenant in one commit, each with its event, or none of them. */
export async function closeReviews(
  ports: CloseReviewsPorts,
  { proposalId, actor, reason }: ReviewAuthor,
  tenantId: string,
  depositIds: readonly string[],
): Promise<'closed' | 'not_open' | 'not_approved'> {
  const { open, notOpen } = await openReviews(ports, tenantId, depositIds)
  if (notOpen.length > 0) return 'not_open'
  const at = ports.now()
  const steps = open.map((deposit) => recordDepositStep(ports, closeReview(deposit, { at, actor, reason })))
  const result = await ports.deposits.closeReviews({ tenantId, steps, proposalId, actor, reason })
  if (result === 'stale') return 'not_open'
  return result === 'committed' ? 'closed' : result
}
