import { expect, test } from 'vitest'
import type { SettlePayout } from '../proposal/action.ts'
import { type Bob, bob } from '../money.ts'
import { contradictsPayment } from './decide-payout.ts'

const answered = 'BOB 201.00, payment QN5'

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
