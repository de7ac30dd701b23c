import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { SettlePayout } from '../proposal/action.ts'
import { type Bob, bob } from '../money.ts'
import { contradictsPayment, decidePayout } from './decide-payout.ts'
import type { DecidedSettlement, PayoutDecisionStore, UndecidedPayout } from './decision-ports.ts'
import { at, completed, processing } from './payout.fixture.ts'

const action: SettlePayout = {
  type: 'settle_payout',
  payoutId: 'po_1',
  outcome: 'completed',
  paid: processing.target,
  networkPaymentId: 'pay-1',
}
const author = { proposalId: 'prp_1', actor: 'ana', reason: 'The bank’s statement.' }

/** Executes a decision about this payout. */
async function decide(
  payout: UndecidedPayout['payout'] | undefined,
  stored: Awaited<ReturnType<PayoutDecisionStore['settle']>> = 'committed',
  decision: SettlePayout = action,
  networkPaid: string | null = null,
) {
  const written: DecidedSettlement[] = []
  const result = await decidePayout(
    {
      payoutDecisions: {
        find: async () => payout && { payout, isAsked: true, networkPaid, isRefunded: false },
        settle: async (settlement) => {
          written.push(settlement)
          return stored
        },
      },
      encodeEvent: encodeForTest,
      ids: countingIds(),
      now: () => at,
    },
    decision,
    author,
  )
  return { result, written }
}

test('a decision settles the payout and captures its hold, with its author', async () => {
  const { result, written } = await decide(processing)
  expect(result).toBe('settled')
  expect(written).toMatchObject([
    {
      ...author,
      action,
      step: {
        payout: { ...processing, status: 'completed', networkPaymentId: 'pay-1' },
        transfer: { type: 'capture', amount: processing.quote.source },
        event: { type: 'payout.completed' },
      },
    },
  ])
})

test.each([
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
] as const)('a decision that it %s releases the hold', async (outcome, status) => {
  const decision = { ...action, outcome, paid: null, networkPaymentId: null }
  const { written } = await decide(processing, 'committed', decision)
  expect(written).toMatchObject([
    { step: { payout: { status }, transfer: { type: 'release', amount: processing.quote.source } } },
  ])
})

test('a payout that has ended, or that nobody knows, is not settled again', async () => {
  for (const payout of [completed.payout, undefined])
    expect(await decide(payout)).toEqual({ result: 'already_ended', written: [] })
})

test.each([
  ['stale', 'already_ended'],
  ['not_approved', 'not_approved'],
] as const)('when the store answers %s: %s', async (stored, result) => {
  expect(await decide(processing, stored)).toMatchObject({ result })
})

const answered = 'BOB 201.00, payment QN5'

test('another payment than the network answered is settled only where the proposal says so', async () => {
  const said: SettlePayout = { ...action, contradictsNetwork: true }
  expect(await decide(processing, 'committed', action, answered)).toEqual({
    result: 'contradicts_network',
    written: [],
  })
  expect(await decide(processing, 'committed', said, answered)).toMatchObject({ result: 'settled', written: [{}] })
})
const paid = (amount: Bob | null, networkPaymentId: string | null): SettlePayout => ({
  type: 'settle_payout',
  payoutId: 'po_1',
  outcome: 'completed',
  paid: amount,
  networkPaymentId,
})

test.each<readonly [SettlePayout, string | null, boolean]>([
  [paid(bob(201_00n), 'QN5'), answered, false],
  [paid(bob(201_00n), null), answered, false],
  [paid(bob(201_00n), null), 'BOB 201.00', false],
  [paid(bob(20_100_00n), 'QN5'), answered, true],
  [paid(bob(201_00n), 'QN1'), answered, true],
  [paid(bob(201_00n), 'QN'), answered, true],
  [paid(bob(20n), null), answered, true],
  [paid(bob(201_00n), 'QN5'), 'BOB 201.00', true],
  [paid(bob(201_00n), 'QN5'), 'another currency, payment QN5', true],
  [paid(null, 'QN5'), answered, true],
  [{ ...paid(null, null), outcome: 'failed' }, answered, true],
  [{ ...paid(bob(201_00n), 'QN5'), outcome: 'failed' }, answered, true],
  [{ ...paid(null, null), outcome: 'cancelled' }, answered, true],
  [{ ...paid(null, null), outcome: 'cancelled' }, null, false],
  [paid(bob(1n), 'QN1'), null, false],
])('settlement %#', (settlement, networkPaid, contradicts) => {
  expect(contradictsPayment(settlement, networkPaid)).toBe(contradicts)
})
