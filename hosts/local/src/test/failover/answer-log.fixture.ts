import type { Payout } from '../harness/tenant.fixture.ts'

/** A payout as a tenant reads it. */
export type ToldPayout = Payout & { readonly transaction_id: string }

export type ViolationKind =
  /** The network paid two references of one `transaction_id`. */
  | 'paid_twice'
  /** A payout that a tenant was told of is not in the database. */
  | 'vanished'
  /** A tenant was told of a payout, and later that there is none. */
  | 'denied'
  /** A payout that had ended was told with another end, or has another one in the database. */
  | 'changed'
  /** One `transaction_id` was told with two payouts. */
  | 'two_payouts'
  /** The network paid what the database does not show as paid. */
  | 'paid_unrecorded'
  /** The database shows as completed what the network has not paid. */
  | 'completed_unpaid'
  /** An ended payout lacks its event, or has others. */
  | 'wrong_events'
  /** A wallet differs from its postings, or its postings from the payouts. */
  | 'unbalanced'
  /** An order had no end by the deadline. */
  | 'not_ended'
  /** An API or the worker ended by itself. */
  | 'program_ended'

export type Violation = { readonly kind: ViolationKind; readonly what: string }

/** What a tenant was told of one payout. */
export type Told = {
  readonly id: string
  readonly transactionId: string
  /** The status that it ended with, once told. */
  readonly ended: string | undefined
  /** When that was told. */
  readonly endedAt: number | undefined
  /** The first source: `POST`, `GET`, `list` or `webhook`. */
  readonly via: string
}

/** Everything that a tenant was told, checked as it arrives. */
export type ToldLog = {
  /** @param askedAt  by `performance.now()`: what was asked earlier may be answered later */
  add(via: string, payout: ToldPayout, askedAt: number): void
  /** Whether the tenant has been told of a payout of this order. */
  knows(transactionId: string): boolean
  /** A tenant that knew of the payout was told that there is none. */
  deny(transactionId: string, answer: string): void
  /** The order's end, as told. */
  endOf(transactionId: string): string | undefined
  /** By the payout's id. */
  readonly payouts: ReadonlyMap<string, Told>
  readonly violations: readonly Violation[]
}

export function toldLog(): ToldLog {
  const payouts = new Map<string, Told>()
  const idOf = new Map<string, string>()
  const violations: Violation[] = []
  return {
    add(via, { id, transaction_id: transactionId, status }, askedAt) {
      const before = payouts.get(id)
      const isOpen = status === 'processing'
      const ended = before?.ended ?? (isOpen ? undefined : status)
      const endedAt = before?.endedAt ?? (isOpen ? undefined : performance.now())
      const isLate = isOpen && askedAt < (endedAt ?? 0)
      if (before?.ended !== undefined && status !== before.ended && !isLate)
        violations.push({ kind: 'changed', what: `${id} ended ${before.ended}, ${via}: ${status}` })
      const first = idOf.get(transactionId) ?? id
      if (first !== id && before === undefined)
        violations.push({ kind: 'two_payouts', what: `${transactionId}: ${first}, ${via}: ${id}` })
      idOf.set(transactionId, first)
      payouts.set(id, { id, transactionId, ended, endedAt, via: before?.via ?? via })
    },
    knows: (transactionId) => idOf.has(transactionId),
    deny(transactionId, answer) {
      violations.push({ kind: 'denied', what: `${transactionId}: ${answer}` })
    },
    endOf: (transactionId) => payouts.get(idOf.get(transactionId) ?? '')?.ended,
    payouts,
    violations,
  }
}
