import fc from 'fast-check'
import { expect, test } from 'vitest'
import { booksOf, entriesOf, type Books, type Entry } from './books.ts'
import { createLedger, type NewPayment } from './ledger.ts'
import { finalOutcomes, type Outcome } from '../qr/scenario.ts'

const outcomes: Outcome[] = [...finalOutcomes, 'late']

const newPayment = (reference: string, outcome: Outcome, amount: bigint): NewPayment => ({
  reference,
  networkRef: '1',
  fingerprint: 'f',
  outcome,
  then: null,
  settleAt: null,
  requested: amount,
  amount,
  currency: 'BOB',
  description: 'd',
  merchant: { name: `merchant ${amount % 3n}`, bankCode: '1016' },
})

const references = fc.constantFrom('a', 'b', 'c', 'd')
const amounts = fc.bigInt({ min: 1n, max: 400n })
const operations = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('record' as const),
      reference: references,
      outcome: fc.constantFrom(...outcomes),
      amount: amounts,
    }),
    fc.record({
      type: fc.constant('settle' as const),
      reference: references,
      outcome: fc.constantFrom(...finalOutcomes),
      force: fc.boolean(),
    }),
    fc.record({ type: fc.constant('close' as const), reference: references }),
    fc.record({ type: fc.constant('balance' as const), amount: amounts }),
  ),
  { maxLength: 30 },
)
type Operation = typeof operations extends fc.Arbitrary<(infer T)[]> ? T : never

/** Plays the operations as the network does: a taken reference is never recorded again. */
function play(steps: readonly Operation[]) {
  const start: Entry = { type: 'funded', total: 500n }
  const entries: Entry[] = [start]
  let now = 0
  const ledger = createLedger(
    booksOf([start]),
    (entry) => entries.push(entry),
    () => now++,
  )
  for (const step of steps) {
    if (step.type === 'balance') ledger.setAvailable(step.amount)
    else if (step.type === 'close') ledger.close(step.reference)
    else if (step.type === 'settle') ledger.settle(step.reference, step.outcome, step.force)
    else if (!ledger.find(step.reference)) {
      const short = step.outcome === 'paid' && step.amount > ledger.available()
      ledger.record(newPayment(step.reference, short ? 'no_liquidity' : step.outcome, step.amount))
    }
  }
  return { ledger, entries }
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((a, b) => a + b, 0n)

const paidOf = ({ byReference }: Readonly<Books>): bigint =>
  sum([...byReference.values()].map((item) => (item.outcome === 'paid' ? item.amount : 0n)))

test('what was paid, what was spent and what merchants got are one sum, and it was there', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const { ledger } = play(steps)
      const books = ledger.books()
      expect(books.spent).toBe(paidOf(books))
      expect(books.spent).toBe(sum([...books.merchants.values()].map(({ credited }) => credited)))
      expect(ledger.available()).toBe(books.funded - books.spent)
      expect(ledger.available()).toBeGreaterThanOrEqual(0n)
    }),
  )
})

test('without force a reference pays at most once, and a final answer never changes', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const gentle = steps.map((step) =>
        step.type === 'settle' ? { ...step, force: false } : step,
      )
      const { entries } = play(gentle)
      const last = new Map<string, string>()
      for (const entry of entries) {
        if (entry.type === 'funded') continue
        const item = entry.type === 'closed' ? entry.closed : entry.payment
        expect([undefined, 'late']).toContain(last.get(item.reference))
        last.set(item.reference, item.outcome)
        if (entry.type === 'payment')
          expect(entry.payment.timesPaid).toBe(item.outcome === 'paid' ? 1 : 0)
      }
    }),
  )
})

test('replaying the entries, or their snapshot, makes the same books', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const { ledger, entries } = play(steps)
      const books = ledger.books()
      expect(booksOf(entries)).toEqual(books)
      const again = booksOf(entriesOf(books))
      expect([again.spent, again.funded, again.sequence]).toEqual([
        books.spent,
        books.funded,
        books.sequence,
      ])
      expect(again.byReference).toEqual(books.byReference)
    }),
  )
})

test('recording under a taken reference is a bug and throws', () => {
  const { ledger } = play([{ type: 'close', reference: 'a' }])
  expect(() => ledger.record(newPayment('a', 'paid', 1n))).toThrow('The reference is taken.')
})
