import type { Closed, Payment } from '../payment/payment.ts'

/** One durable fact. Replaying all of them in order makes the ledger again. */
export type Entry =
  /** What was ever put into the paying account, in all. */
  | { readonly type: 'funded'; readonly total: bigint }
  | { readonly type: 'payment'; readonly payment: Payment }
  | { readonly type: 'closed'; readonly closed: Closed }

/** The merchants' side of the books: who was credited, and how much. */
export type MerchantAccount = Payment['merchant'] & { readonly credited: bigint }

/** The sum of all entries so far. */
export type Books = {
  funded: bigint
  /** What left the paying account and was not given back. */
  spent: bigint
  readonly byReference: Map<string, Payment | Closed>
  readonly merchants: Map<string, MerchantAccount>
  /** References in the order of their `sequence`. */
  readonly sequence: string[]
}

const emptyBooks = (): Books => ({
  funded: 0n,
  spent: 0n,
  byReference: new Map(),
  merchants: new Map(),
  sequence: [],
})

/** The books that these entries make, in order. */
export function booksOf(entries: readonly Entry[]): Books {
  const books = emptyBooks()
  for (const entry of entries) enter(books, entry)
  return books
}

/** The fewest entries that make these books. */
export const entriesOf = (books: Readonly<Books>): Entry[] => [
  { type: 'funded', total: books.funded },
  ...Array.from(books.byReference.values(), entryOf),
]

/** Payments ever made, in the order they were made, from the one after sequence `after`. */
export function* paymentsMade(books: Readonly<Books>, after: number): Generator<Payment> {
  for (let i = after; i < books.sequence.length; i++) {
    const payment = books.byReference.get(books.sequence[i] ?? '')
    if (payment && payment.outcome !== 'closed_unpaid') yield payment
  }
}

const entryOf = (item: Payment | Closed): Entry =>
  item.outcome === 'closed_unpaid'
    ? { type: 'closed', closed: item }
    : { type: 'payment', payment: item }

/** Enters one fact, moving the difference between what was paid before and what is now. */
export function enter(books: Books, entry: Entry): void {
  switch (entry.type) {
    case 'funded':
      books.funded = entry.total
      return
    case 'closed':
      books.byReference.set(entry.closed.reference, entry.closed)
      return
    case 'payment': {
      const { payment } = entry
      const { reference, sequence } = payment
      const before = books.byReference.get(reference)
      const moved = movedBy(payment) - (before ? movedBy(before) : 0n)
      books.spent += moved
      if (moved !== 0n) credit(books.merchants, payment.merchant, moved)
      if (sequence !== null) books.sequence[sequence - 1] = reference
      books.byReference.set(reference, payment)
    }
  }
}

const movedBy = (item: Payment | Closed): bigint => (item.outcome === 'paid' ? item.amount : 0n)

function credit(
  accounts: Books['merchants'],
  { name, bankCode }: Payment['merchant'],
  amount: bigint,
): void {
  const key = `${bankCode} ${name}`
  const credited = (accounts.get(key)?.credited ?? 0n) + amount
  accounts.set(key, { name, bankCode, credited })
}
