import { expect, test } from 'vitest'
import { bob, MAX_MINOR, usdt } from '../money.ts'
import {
  approverOf,
  isWithinLimit,
  type IssueApiKey,
  type ProposalAction,
  proposalActionTypes,
  readAction,
  storedAction,
} from './action.ts'

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
const replacing: IssueApiKey = {
  ...key,
  expiresAt: new Date('2026-12-01T00:00:00.000Z'),
  replaces: { keyId: 'key_0', overlapSeconds: 86_400 },
  allowedAddresses: ['192.0.2.1', '192.0.2.2'],
}
const limits: ProposalAction = { type: 'change_limits', tenantId: 'ten_1', limits: {} }

test('the details of an action are texts alone, and only those that it has', () => {
  const detailsOf = (action: ProposalAction) => storedAction(action).details
  const minor = { amount_minor: '1' }
  expect(detailsOf(adjustment)).toStrictEqual({ direction: 'in', ...minor })
  expect(detailsOf(settlement)).toStrictEqual({ outcome: 'failed' })
  expect(detailsOf(limits)).toStrictEqual({})
  const plain = { name: 'till', last_four: '4F2A', scopes: 'payouts:read wallet:read' }
  expect(detailsOf(key)).toStrictEqual(plain)
  expect(detailsOf(replacing)).toStrictEqual({
    ...plain,
    expires_at: '2026-12-01T00:00:00.000Z',
    replaces: 'key_0',
    overlap_seconds: '86400',
    allowed_addresses: '192.0.2.1 192.0.2.2',
  })
})

test('an action is read as it was stored', () => {
  for (const action of [adjustment, settlement, token, key, replacing, limits])
    expect(readAction(storedAction(action))).toStrictEqual(action)
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
