import type { FoundDifference, StatementDifferenceKind } from '../difference/difference.ts'
import { toDecimal } from '../money.ts'
import type { StatementRow } from '../network/qr-network.ts'
import { isoText } from '../time.ts'
import type { PaymentRecord } from './ports.ts'

/** A difference before its run gives it id and scope. */
export type StatementDifference = Pick<FoundDifference, 'tenantId' | 'subject' | 'detail' | 'expected' | 'found'> & {
  readonly kind: StatementDifferenceKind
}

/**
 * How one line of the statement differs from the payout that it names; null when it does not.
 *
 * @param payment  undefined when no payout has the reference
 * @param isRepeated  whether an earlier line of its type has the same reference: one return has several lines
 * @param marginMs  how far the clocks of the network and of this service may be apart
 */
export function lineDifference(
  line: StatementRow,
  payment: PaymentRecord | undefined,
  isRepeated: boolean,
  marginMs: number,
): StatementDifference | null {
  const { type, reference, paymentId, amount, paidAt } = line
  const paid = `the network ${type === 'return' ? 'returned' : 'paid'} ${toDecimal(amount)} BOB at ${isoText(paidAt)} (payment ${paymentId})`
  const difference = (
    kind: StatementDifferenceKind,
    here: string,
    expected: StatementDifference['expected'] = null,
  ): StatementDifference => ({
    kind,
    tenantId: payment?.tenantId ?? null,
    subject: reference,
    detail: `${paid}; ${here}`,
    expected,
    found: amount,
  })
  if (payment === undefined) return difference('unknown_here', 'no payout has this reference')
  const { status, networkPaymentId } = payment
  if (type === 'return')
    return payment.isRefunded || isRepeated ? null : difference('returned', `the payout is ${status}`)
  const due = payment.settledPaid ?? payment.target
  if (isRepeated) return difference('paid_twice', 'an earlier line has the same reference')
  if (status !== 'completed') return difference('not_completed', `the payout is ${status}`)
  if (networkPaymentId !== null && networkPaymentId !== paymentId)
    return difference('paid_twice', `the payout was completed by payment ${networkPaymentId}`)
  if (amount.minor !== due.minor) return difference('other_amount', `the payout is of ${toDecimal(due)} BOB`, due)
  if (!wasOpenAt(payment, paidAt, marginMs)) return difference('other_time', `the payout ${lifeOf(payment)}`, due)
  return null
}

/** A completed payout that the statement lacks. */
export const absentPayment = (payment: PaymentRecord): StatementDifference => ({
  kind: 'absent_there',
  tenantId: payment.tenantId,
  subject: payment.payoutId,
  detail: `the payout of ${toDecimal(payment.target)} BOB ${lifeOf(payment)}; the statement has no payment for it`,
  expected: payment.target,
  found: null,
})

const wasOpenAt = ({ createdAt, endedAt }: PaymentRecord, at: Date, marginMs: number): boolean =>
  at.getTime() >= createdAt.getTime() - marginMs && (endedAt === null || at.getTime() <= endedAt.getTime() + marginMs)

const lifeOf = ({ createdAt, endedAt }: PaymentRecord): string =>
  `was created at ${isoText(createdAt)} and completed at ${endedAt ? isoText(endedAt) : '–'}`
