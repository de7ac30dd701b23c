import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bob, usdt } from '../money.ts'
import { type ProposalAction, proposalActionTypes, readAction, storedAction } from './action.ts'

const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(usdt)
const depositId = fc.string()

const anyAction: fc.Arbitrary<ProposalAction> = fc.oneof(
  fc.record(
    {
      type: fc.constant('adjust_wallet'),
      tenantId: fc.string(),
      direction: fc.constantFrom('in', 'out'),
      amount,
      differenceId: fc.string(),
    },
    { requiredKeys: ['type', 'tenantId', 'direction', 'amount'] },
  ),
  fc.record({
    type: fc.constant('issue_operator_token'),
    tokenId: fc.string(),
    person: fc.string(),
    label: fc.string(),
    role: fc.constantFrom('operator', 'admin'),
    fingerprint: fc.string(),
    expiresAt: fc.date({ noInvalidDate: true }),
  }),
  fc.record({ type: fc.constantFrom('credit_deposit', 'close_deposit'), depositId, amount }),
  fc.record({
    type: fc.constant('settle_payout'),
    payoutId: fc.string(),
    outcome: fc.constantFrom('completed', 'failed', 'cancelled'),
    paid: fc.option(amount.map(({ minor }) => bob(minor))),
    networkPaymentId: fc.option(fc.string()),
  }),
)

test('an action is read as it was stored', () => {
  fc.assert(
    fc.property(anyAction, (action) => {
      expect(readAction(storedAction(action))).toEqual(action)
    }),
  )
})

test('the subject is what the action changes', () => {
  expect(
    storedAction({ type: 'adjust_wallet', tenantId: 'ten_1', direction: 'in', amount: usdt(1n) })
      .subject,
  ).toBe('ten_1')
  expect(
    storedAction({ type: 'close_deposit', depositId: 'dep_1', amount: usdt(1n) }).subject,
  ).toBe('dep_1')
  expect(new Set(proposalActionTypes).size).toBe(proposalActionTypes.length)
})
