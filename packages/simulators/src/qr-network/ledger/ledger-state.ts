import type { CancelledReference, Payment } from '../payment/payment.ts'

/** One durable change. Replaying all entries in order restores the ledger. */
export type Entry =
  /** Total ever added to the paying account. */
  | { readonly type: 'funded'; readonly total: bigint }
  | { readonly type: 'payment'; readonly payment: Payment }
  | { readonly type: 'cancelled'; readonly cancelled: CancelledReference }

/** A merchant and the sum of its credits. */
export type MerchantAccount = Payment['merchant'] & { readonly credited: bigint }

/** The result of all entries so far. */
export type LedgerState = {
  funded: bigint
  /** Total of the payments that were not reversed. */
  spent: bigint
  readonly byReference: Map<string, Payment | CancelledReference>
  readonly merchants: Map<string, MerchantAccount>
  /** References in the order of their `sequence`. */
  readonly sequence: string[]
}

const emptyLedgerState = (): LedgerState => ({
  funded: 0n,
  spent: 0n,
  byReference: new Map(),
  merchants: new Map(),
  sequence: [],
})

/** Replays entries. */
export function ledgerStateOf(entries: readonly Entry[]): LedgerState {
  const state = emptyLedgerState()
  for (const entry of entries) applyEntry(state, entry)
  return state
}

/** The shortest list of entries that restores this state. */
export const entriesOf = (state: Readonly<LedgerState>): Entry[] => [
  { type: 'funded', total: state.funded },
  ...Array.from(state.byReference.values(), entryOf),
]

/** Paid payments, also reversed ones, in the order of their sequence, after `after`. */
export function* paymentsAfter(state: Readonly<LedgerState>, after: number): Generator<Payment> {
  for (let i = after; i < state.sequence.length; i++) {
    const payment = state.byReference.get(state.sequence[i] ?? '')
    if (payment && payment.outcome !== 'closed_unpaid') yield payment
  }
}

const entryOf = (item: Payment | CancelledReference): Entry =>
  item.outcome === 'closed_unpaid' ? { type: 'cancelled', cancelled: item } : { type: 'payment', payment: item }

/** Applies one entry; a changed payment moves the difference. */
export function applyEntry(state: LedgerState, entry: Entry): void {
  switch (entry.type) {
    case 'funded':
      state.funded = entry.total
      return
    case 'cancelled':
      state.byReference.set(entry.cancelled.reference, entry.cancelled)
      return
    case 'payment': {
      const { payment } = entry
      const { reference, sequence } = payment
      const before = state.byReference.get(reference)
      const moved = movedBy(payment) - (before ? movedBy(before) : 0n)
      state.spent += moved
      if (moved !== 0n) credit(state.merchants, payment.merchant, moved)
      if (sequence !== null) state.sequence[sequence - 1] = reference
      state.byReference.set(reference, payment)
    }
  }
}

const movedBy = (item: Payment | CancelledReference): bigint => (item.outcome === 'paid' ? item.amount : 0n)

function credit(accounts: LedgerState['merchants'], { name, bankCode }: Payment['merchant'], amount: bigint): void {
  const key = `${bankCode} ${name}`
  const credited = (accounts.get(key)?.credited ?? 0n) + amount
  accounts.set(key, { name, bankCode, credited })
}
