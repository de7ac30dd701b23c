import { apiKeyScopes, bob, usdt } from '@quipu/core'
import { type ActionOf, type Proposal, type ProposalAction } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import type { ProposalPresent } from './details.ts'
import { proposal, proposalToJson } from './proposal.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'
const keyId = 'key_01K6HZ8M00000000000000000A'
const differenceId = 'dif_01K6HZ8M00000000000000000A'
const at = (day: number): Date => new Date(Date.UTC(2026, 10, day))
const isoAt = (day: number): string => at(day).toISOString()

const draft = {
  id: 'prp_01K6HZ8M00000000000000000A',
  tenantId,
  reason: 'A fee.',
  evidence: null,
  proposedBy: 'ana',
  createdAt: at(1),
  expiresAt: at(2),
  action: { type: 'adjust_wallet', tenantId, direction: 'in', amount: usdt(5000000n) },
} as const

/** The JSON, which the schema must accept. */
function shown(stored: Proposal, now: Date = at(1)) {
  const json = proposalToJson(stored, now)
  expect(proposal.parse(json)).toEqual(json)
  return json
}

const detailsOf = (action: ProposalAction) => {
  const { action: type, subject, details } = shown({ ...draft, action, status: 'open' })
  return [type, subject, details]
}

test('an open proposal shows what it does, who proposed it and until when it can be approved', () => {
  expect(shown({ ...draft, status: 'open' })).toEqual({
    id: draft.id,
    action: 'adjust_wallet',
    summary: 'amount 5.000000, direction in',
    tenant_name: null,
    tenant_id: tenantId,
    subject: tenantId,
    details: { amount: '5.000000', direction: 'in' },
    present: null,
    reason: 'A fee.',
    evidence: null,
    status: 'open',
    proposed_by: 'ana',
    created_at: isoAt(1),
    expires_at: isoAt(2),
    approved_by: null,
    approved_at: null,
    executed_at: null,
    withdrawn_by: null,
    withdrawn_at: null,
    rejected_by: null,
    rejected_at: null,
    reject_reason: null,
    failed_at: null,
    failure: null,
  })
  expect(shown({ ...draft, status: 'open' }, at(2)).status).toBe('expired')
  const evidence = { note: 'Statement.', digest: '5e'.repeat(32) }
  expect(shown({ ...draft, evidence, tenantId: null, status: 'open' })).toMatchObject({ evidence, tenant_id: null })
})

const approval = { at: at(3), by: 'bea' }
const none = {
  approved_by: null,
  approved_at: null,
  executed_at: null,
  withdrawn_by: null,
  withdrawn_at: null,
  failed_at: null,
  failure: null,
}
const approved = { ...none, approved_by: 'bea', approved_at: isoAt(3) }

test.each<[Proposal, object]>([
  [{ ...draft, status: 'approved', approval }, approved],
  [
    { ...draft, status: 'approved', approval: { at: at(3), by: null } },
    { ...approved, approved_by: null },
  ],
  [
    { ...draft, status: 'executed', approval, executedAt: at(4) },
    { ...approved, executed_at: isoAt(4) },
  ],
  [
    { ...draft, status: 'failed', approval, failure: { at: at(4), code: 'INSUFFICIENT_BALANCE' } },
    { ...approved, failed_at: isoAt(4), failure: 'INSUFFICIENT_BALANCE' },
  ],
  [
    { ...draft, status: 'withdrawn', withdrawal: { at: at(4), by: 'cleo' } },
    { ...none, withdrawn_by: 'cleo', withdrawn_at: isoAt(4) },
  ],
  [
    { ...draft, status: 'rejected', rejection: { at: at(4), by: 'cleo', reason: 'no evidence' } },
    { ...none, rejected_by: 'cleo', rejected_at: isoAt(4), reject_reason: 'no evidence' },
  ],
])('what became of the proposal %#', (stored, members) => {
  expect(shown(stored, at(9))).toMatchObject({ ...members, status: stored.status })
})

const key: ActionOf<'issue_api_key'> = {
  type: 'issue_api_key',
  keyId,
  name: 'backend',
  lastFour: '00a1',
  scopes: apiKeyScopes,
  expiresAt: null,
  replaces: null,
  allowedAddresses: null,
}
const shownKey = { name: 'backend', last_four: '00a1', scopes: apiKeyScopes }

test.each<[ProposalAction, string, object]>([
  [{ ...draft.action, direction: 'out' }, tenantId, { amount: '5.000000', direction: 'out' }],
  [{ ...draft.action, differenceId }, tenantId, { amount: '5.000000', direction: 'in', difference_id: differenceId }],
  [{ type: 'credit_deposit', depositId: 'dep_1', amount: usdt(1n) }, 'dep_1', { amount: '0.000001' }],
  [{ type: 'close_deposit', depositId: 'dep_1', amount: usdt(2n) }, 'dep_1', { amount: '0.000002' }],
  [
    {
      type: 'settle_payout',
      payoutId: 'po_1',
      outcome: 'completed',
      paid: bob(9900n),
      networkPaymentId: 'np-1',
      ordered: bob(10000n),
      networkPaid: 'BOB 98.00',
      contradictsNetwork: true,
    },
    'po_1',
    {
      outcome: 'completed',
      paid_amount: '99.00',
      network_payment_id: 'np-1',
      ordered_amount: '100.00',
      network_paid: 'BOB 98.00',
      contradicts_network: true,
    },
  ],
  [
    { type: 'settle_payout', payoutId: 'po_1', outcome: 'failed', paid: null, networkPaymentId: null },
    'po_1',
    { outcome: 'failed', paid_amount: null, network_payment_id: null, network_paid: null, contradicts_network: false },
  ],
  [
    {
      type: 'issue_operator_token',
      tokenId: 'opt_1',
      person: 'ana',
      label: 'laptop',
      role: 'admin',
      fingerprint: '9f86d081884c7d65',
      expiresAt: at(5),
    },
    'opt_1',
    { person: 'ana', label: 'laptop', role: 'admin', fingerprint: '9f86d081884c7d65', expires_at: isoAt(5) },
  ],
  [key, keyId, shownKey],
  [
    { ...key, expiresAt: at(5), replaces: { keyId, overlapSeconds: 0 }, allowedAddresses: ['192.0.2.10'] },
    keyId,
    { ...shownKey, expires_at: isoAt(5), replaces: keyId, overlap_seconds: 0, allowed_addresses: ['192.0.2.10'] },
  ],
  [{ type: 'change_limits', tenantId, limits: {} }, tenantId, {}],
  [
    { type: 'change_limits', tenantId, limits: { amount: null, count: null } },
    tenantId,
    { daily_limit_usdt: null, daily_limit_count: null },
  ],
  [
    { type: 'change_limits', tenantId, limits: { paymentCap: bob(100n), amount: usdt(1n), count: 7 } },
    tenantId,
    { payment_cap_bob: '1.00', daily_limit_usdt: '0.000001', daily_limit_count: 7 },
  ],
])('the details of the action %#', (action, subject, details) => {
  expect(detailsOf(action)).toStrictEqual([action.type, subject, details])
})

test('an open proposal has the tenant’s name, and each present value beside the new one', () => {
  const dailyLimits = { amount: null, count: 3 }
  const about = { tenant: { ...example.tenant, dailyLimits }, available: usdt(7_000_000n) }
  const limits = { paymentCap: bob(9_000_000n), amount: usdt(1n), count: null }
  const action = { type: 'change_limits', tenantId, limits } as const
  const [raised, adjusted] = [action, draft.action].map((each) =>
    proposalToJson({ ...draft, action: each, status: 'open' }, at(1), about),
  )
  expect(raised).toMatchObject({
    tenant_name: example.tenant.legalName,
    present: { payment_cap_bob: '50000.00', daily_limit_usdt: null, daily_limit_count: 3 },
    summary: 'payment_cap_bob 50000.00 → 90000.00, daily_limit_usdt none → 0.000001, daily_limit_count 3 → none',
  })
  expect(adjusted).toMatchObject({
    present: { available: '7.000000' },
    summary: 'amount 5.000000, direction in, available 7.000000',
  })
  const withdrawal = { at: at(1), by: 'ana' }
  const ended = proposalToJson({ ...draft, action, status: 'withdrawn', withdrawal }, at(1), about)
  expect([ended.present, ended.tenant_name]).toEqual([null, example.tenant.legalName])
})

const since = { at: at(0), by: 'ana', reason: 'It pays twice.', cause: 'court_order', evidence: null } as const
const pricing = { type: 'change_pricing', tenantId, prices: { marginBps: 0, feeFixed: usdt(1n) } } as const
const resume = { type: 'resume_tenant', tenantId, suspendedAt: at(0) } as const
const start = { type: 'start_payouts', stoppedAt: at(0) } as const
const decide = { type: 'decide_screening', caseId: 'scr_1', decision: 'cleared', name: 'Ana', list: 'own' } as const
const settle = {
  type: 'settle_payout',
  payoutId: 'po_1',
  outcome: 'failed',
  paid: null,
  networkPaymentId: null,
} as const
const suspended = { ...example.tenant, status: 'suspended', suspension: since } as const

test.each<[ProposalAction, ProposalPresent, object | null]>([
  [
    pricing,
    { tenant: example.tenant },
    { margin_bps: example.tenant.pricing.marginBps, fee_fixed: expect.any(String) },
  ],
  [pricing, {}, null],
  [resume, { tenant: suspended }, { suspended_at: isoAt(0), because: 'It pays twice.' }],
  [resume, { tenant: example.tenant }, { suspended_at: null }],
  [resume, {}, null],
  [start, { stop: since }, { stopped_at: isoAt(0), because: 'It pays twice.' }],
  [start, { stop: null }, { stopped_at: null }],
  [start, {}, null],
  [decide, { screeningCase: { status: 'open' } }, { decision: 'open' }],
  [decide, {}, null],
  [settle, { available: usdt(7_000_000n) }, { available: '7.000000' }],
  [key, { available: usdt(7_000_000n) }, null],
])('the present values of the action %#', (action, about, present) => {
  expect(proposalToJson({ ...draft, action, status: 'open' }, at(1), about).present).toStrictEqual(present)
})
