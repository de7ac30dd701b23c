import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bob, MAX_MINOR, usdt } from '../money.ts'
import { apiKeyScopes } from '../access/api-key-scope.ts'
import {
  approverOf,
  isWithinLimit,
  type IssueApiKey,
  type ProposalAction,
  proposalActionTypes,
  readAction,
  storedAction,
} from './action.ts'

const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(usdt)
const depositId = fc.string()
const instant = fc.date({ noInvalidDate: true })

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
    expiresAt: instant,
  }),
  fc.record({
    type: fc.constant('close_deposits'),
    tenantId: fc.string(),
    depositIds: fc.array(fc.stringMatching(/^dep_[0-9A-Z]{26}$/), { minLength: 1, maxLength: 100 }),
    amount,
  }),
  fc.record({ type: fc.constantFrom('credit_deposit', 'close_deposit'), depositId, amount }),
  fc.record(
    {
      type: fc.constant('settle_payout'),
      payoutId: fc.string(),
      outcome: fc.constantFrom('completed', 'failed', 'cancelled'),
      paid: fc.option(amount.map(({ minor }) => bob(minor))),
      networkPaymentId: fc.option(fc.string()),
      ordered: fc.constant(bob(1n)),
      networkPaid: fc.string(),
      contradictsNetwork: fc.constant(true as const),
    },
    { requiredKeys: ['type', 'payoutId', 'outcome', 'paid', 'networkPaymentId'] },
  ),
  fc.record({
    type: fc.constant('issue_api_key'),
    keyId: fc.string(),
    name: fc.string(),
    lastFour: fc.string(),
    scopes: fc.subarray([...apiKeyScopes], { minLength: 1 }),
    expiresAt: fc.option(instant),
    replaces: fc.option(fc.record({ keyId: fc.string(), overlapSeconds: fc.nat(2_592_000) })),
    allowedAddresses: fc.option(fc.array(fc.ipV4(), { minLength: 1, maxLength: 3 })),
  }),
  fc.record({
    type: fc.constant('change_limits'),
    tenantId: fc.string(),
    limits: fc.record(
      { paymentCap: amount.map(({ minor }) => bob(minor)), amount: fc.option(amount), count: fc.option(fc.nat()) },
      { requiredKeys: [] },
    ),
  }),
)

/** One of each action that is not about a deposit, with as few members as it can have. */
const adjustment: ProposalAction = { type: 'adjust_wallet', tenantId: 'ten_1', direction: 'in', amount: usdt(1n) }
const settlement: ProposalAction = {
  type: 'settle_payout',
  payoutId: 'po_1',
  outcome: 'failed',
  paid: null,
  networkPaymentId: null,
}
const token: ProposalAction = {
  type: 'issue_operator_token',
  tokenId: 'opt_1',
  person: 'eva',
  label: 'laptop',
  role: 'operator',
  fingerprint: 'ab',
  expiresAt: new Date('2026-12-01T00:00:00.000Z'),
}
const key: IssueApiKey = {
  type: 'issue_api_key',
  keyId: 'key_1',
  name: 'till',
  lastFour: '4F2A',
  scopes: ['payouts:read', 'wallet:read'],
  expiresAt: null,
  replaces: null,
  allowedAddresses: null,
}
const limits: ProposalAction = { type: 'change_limits', tenantId: 'ten_1', limits: {} }

test('an action is read as it was stored', () => {
  fc.assert(
    fc.property(anyAction, (action) => {
      expect(readAction(storedAction(action))).toEqual(action)
    }),
  )
})

test('an action is read without the members that it was stored without', () => {
  for (const action of [adjustment, settlement, token, key, limits])
    expect(readAction(storedAction(action))).toStrictEqual(action)
})

test('the details of an action are texts alone, and only those that it has', () => {
  const detailsOf = (action: ProposalAction) => storedAction(action).details
  const minor = { amount_minor: '1' }
  expect(detailsOf(adjustment)).toStrictEqual({ direction: 'in', ...minor })
  expect(detailsOf(settlement)).toStrictEqual({ outcome: 'failed' })
  expect(detailsOf(limits)).toStrictEqual({})
  const plain = { name: 'till', last_four: '4F2A', scopes: 'payouts:read wallet:read' }
  expect(detailsOf(key)).toStrictEqual(plain)
  expect(
    detailsOf({
      ...key,
      expiresAt: new Date('2026-12-01T00:00:00.000Z'),
      replaces: { keyId: 'key_0', overlapSeconds: 86_400 },
      allowedAddresses: ['192.0.2.1', '192.0.2.2'],
    }),
  ).toStrictEqual({
    ...plain,
    expires_at: '2026-12-01T00:00:00.000Z',
    replaces: 'key_0',
    overlap_seconds: '86400',
    allowed_addresses: '192.0.2.1 192.0.2.2',
  })
})

test('no limit is stored apart from a limit that stays', () => {
  const { details } = storedAction({
    type: 'change_limits',
    tenantId: 'ten_1',
    limits: { paymentCap: bob(1n), amount: null, count: null },
  })
  expect(details).toStrictEqual({
    payment_cap_bob_minor: '1',
    daily_limit_usdt_minor: 'none',
    daily_limit_count: 'none',
  })
})

test('the subject is what the action changes', () => {
  const subjects = [adjustment, settlement, token, key, limits].map((action) => storedAction(action).subject)
  expect(subjects).toEqual(['ten_1', 'po_1', 'opt_1', 'key_1', 'ten_1'])
  for (const type of ['credit_deposit', 'close_deposit'] as const)
    expect(storedAction({ type, depositId: 'dep_1', amount: usdt(1n) }).subject).toBe('dep_1')
  expect(new Set(proposalActionTypes).size).toBe(proposalActionTypes.length)
})

test('an admin approves what gives rights and raises limits, and an operator what moves money', () => {
  const approvers = [adjustment, settlement, token, key, limits].map(approverOf)
  expect(approvers).toEqual(['operator', 'operator', 'admin', 'admin', 'admin'])
})

test('only an adjustment without a difference, and a deposit, are decided alone', () => {
  const highest = usdt(MAX_MINOR)
  const booked = { ...adjustment, differenceId: 'dif_1' } as const
  const alone = [adjustment, booked, settlement, token, key, limits].map((action) => isWithinLimit(action, highest))
  expect(alone).toEqual([true, false, false, false, false, false])
})
