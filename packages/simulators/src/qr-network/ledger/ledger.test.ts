import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ledgerStateOf, entriesOf, type LedgerState, type Entry } from './ledger-state.ts'
import { createLedger, type NewPayment } from './ledger.ts'
import { finalOutcomes, type Outcome } from '../qr/scenario.ts'

const outcomes: Outcome[] = [...finalOutcomes, 'pending']

const newPayment = (reference: string, outcome: Outcome, amount: bigint): NewPayment => ({
  reference,
  networkRef: '1',
  fingerprint: 'f',
  outcome,
  finalOutcome: null,
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
    fc.record({ type: fc.constant('cancel' as const), reference: references }),
    fc.record({ type: fc.constant('balance' as const), amount: amounts }),
  ),
  { maxLength: 30 },
)
type Operation = typeof operations extends fc.Arbitrary<(infer T)[]> ? T : never

/** Applies operations as the network does; it records each reference once. */
function run(steps: readonly Operation[]) {
  const start: Entry = { type: 'funded', total: 500n }
  const entries: Entry[] = [start]
  let now = 0
  const ledger = createLedger(
    ledgerStateOf([start]),
    (entry) => entries.push(entry),
    () => now++,
  )
  for (const step of steps) {
    if (step.type === 'balance') ledger.setAvailable(step.amount)
    else if (step.type === 'cancel') ledger.cancel(step.reference)
    else if (step.type === 'settle') ledger.settle(step.reference, step.outcome, step.force)
    else if (!ledger.find(step.reference)) {
      const short = step.outcome === 'paid' && step.amount > ledger.available()
      ledger.record(newPayment(step.reference, short ? 'no_liquidity' : step.outcome, step.amount))
    }
  }
  return { ledger, entries }
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((a, b) => a + b, 0n)

const paidOf = ({ byReference }: Readonly<LedgerState>): bigint =>
  sum([...byReference.values()].map((item) => (item.outcome === 'paid' ? item.amount : 0n)))

test('paid, spent and credited amounts are equal and covered by the balance', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const { ledger } = run(steps)
      const state = ledger.state()
      expect(state.spent).toBe(paidOf(state))
      expect(state.spent).toBe(sum([...state.merchants.values()].map(({ credited }) => credited)))
      expect(ledger.available()).toBe(state.funded - state.spent)
      expect(ledger.available()).toBeGreaterThanOrEqual(0n)
    }),
  )
})

test('without force a reference is paid at most once, and a final outcome does not change', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const unforced = steps.map((step) => (step.type === 'settle' ? { ...step, force: false } : step))
      const { entries } = run(unforced)
      const last = new Map<string, string>()
      for (const entry of entries) {
        if (entry.type === 'funded') continue
        const item = entry.type === 'cancelled' ? entry.cancelled : entry.payment
        expect([undefined, 'pending']).toContain(last.get(item.reference))
        last.set(item.reference, item.outcome)
        if (entry.type === 'payment') expect(entry.payment.timesPaid).toBe(item.outcome === 'paid' ? 1 : 0)
      }
    }),
  )
})

test('replaying the entries or their snapshot restores the state', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const { ledger, entries } = run(steps)
      const state = ledger.state()
      expect(ledgerStateOf(entries)).toEqual(state)
      const restored = ledgerStateOf(entriesOf(state))
      expect([restored.spent, restored.funded, restored.sequence]).toEqual([state.spent, state.funded, state.sequence])
      expect(restored.byReference).toEqual(state.byReference)
    }),
  )
})

test('recording a used reference throws', () => {
  const { ledger } = run([{ type: 'cancel', reference: 'a' }])
  expect(() => ledger.record(newPayment('a', 'paid', 1n))).toThrow('The reference is already used.')
})
