import type { Payout } from '@quipu/local/testing'

/** A payout as a tenant reads it. */
export type AnsweredPayout = Payout & { readonly transaction_id: string }

export type ViolationKind =
  /** The network paid one `transaction_id` more than once. */
  | 'paid_twice'
  /** A payout that the tenant was answered is not in the database. */
  | 'vanished'
  /** The tenant was answered a payout, and later that it does not exist. */
  | 'denied'
  /** An ended payout was answered with another status, or has another one in the database. */
  | 'changed'
  /** One `transaction_id` was answered with two payouts. */
  | 'two_payouts'
  /** The network paid a payout that the database shows as unpaid. */
  | 'paid_unrecorded'
  /** The database shows a completed payout that the network has not paid. */
  | 'completed_unpaid'
  /** An ended payout has no event, or a wrong one. */
  | 'wrong_events'
  /** A wallet differs from its postings, or its postings from the payouts. */
  | 'unbalanced'
  /** An order had not ended by the deadline. */
  | 'not_ended'
  /** An API or the worker ended unexpectedly. */
  | 'program_ended'

export type Violation = { readonly kind: ViolationKind; readonly detail: string }

/** The facts that the tenant's answers state about one payout. */
export type SeenPayout = {
  readonly id: string
  readonly transactionId: string
  /** Its final status, once answered. */
  readonly finalStatus: string | undefined
  /** Time of the first answer with the final status. */
  readonly endedAt: number | undefined
  /** Source of the first answer: `POST`, `GET`, `list` or `webhook`. */
  readonly via: string
}

/** All answers to the tenant, checked against each other as they arrive. */
export type AnswerLog = {
  /** @param askedAt  time of the request by `performance.now()`; answers may arrive out of order */
  add(via: string, payout: AnsweredPayout, askedAt: number): void
  /** Whether an answer had a payout of this order. */
  has(transactionId: string): boolean
  /** Records an answer that the payout of this order does not exist. */
  addDenial(transactionId: string, answer: string): void
  /** The order's final status, if answered. */
  finalStatusOf(transactionId: string): string | undefined
  /** By payout id. */
  readonly payouts: ReadonlyMap<string, SeenPayout>
  readonly violations: readonly Violation[]
}

export function answerLog(): AnswerLog {
  const payouts = new Map<string, SeenPayout>()
  const idOf = new Map<string, string>()
  const violations: Violation[] = []
  return {
    add(via, { id, transaction_id: transactionId, status }, askedAt) {
      const before = payouts.get(id)
      const isOpen = status === 'processing'
      const finalStatus = before?.finalStatus ?? (isOpen ? undefined : status)
      const endedAt = before?.endedAt ?? (isOpen ? undefined : performance.now())
      const isLate = isOpen && askedAt < (endedAt ?? 0)
      if (before?.finalStatus !== undefined && status !== before.finalStatus && !isLate)
        violations.push({ kind: 'changed', detail: `${id} ended ${before.finalStatus}, ${via}: ${status}` })
      const first = idOf.get(transactionId) ?? id
      if (first !== id && before === undefined)
        violations.push({ kind: 'two_payouts', detail: `${transactionId}: ${first}, ${via}: ${id}` })
      idOf.set(transactionId, first)
      payouts.set(id, { id, transactionId, finalStatus, endedAt, via: before?.via ?? via })
    },
    has: (transactionId) => idOf.has(transactionId),
    addDenial(transactionId, answer) {
      violations.push({ kind: 'denied', detail: `${transactionId}: ${answer}` })
    },
    finalStatusOf: (transactionId) => payouts.get(idOf.get(transactionId) ?? '')?.finalStatus,
    payouts,
    violations,
  }
}
