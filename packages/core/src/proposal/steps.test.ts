import { describe, expect, test } from 'vitest'
import { MAX_MINOR, usdt } from '../money.ts'
import { proposalStatusAt } from './proposal.ts'
import { after, draft, start } from './proposal.fixture.ts'
import { approveProposal, openProposal, rejectProposal, withdrawProposal } from './steps.ts'

const open = { ...draft, status: 'open' } as const

describe('a new proposal', () => {
  test('is approved at once up to the limit, and open above it', () => {
    expect(openProposal(draft, usdt(5_000_000n))).toEqual({
      ...draft,
      status: 'approved',
      approval: { at: start, by: null },
    })
    expect(openProposal(draft, usdt(4_999_999n))).toEqual(open)
    expect(openProposal(draft, usdt(0n))).toEqual(open)
  })

  test('about a deposit is limited by the amount of the deposit', () => {
    for (const type of ['credit_deposit', 'close_deposit'] as const) {
      const action = { type, depositId: 'dep_1', amount: usdt(2n ** 255n) }
      expect(openProposal({ ...draft, action }, usdt(MAX_MINOR)).status).toBe('open')
      const small = { ...action, amount: usdt(1n) }
      expect(openProposal({ ...draft, action: small }, usdt(1n)).status).toBe('approved')
    }
  })
})

describe('an open proposal', () => {
  test('is approved by another operator until it expires', () => {
    const at = new Date(draft.expiresAt.getTime() - 1)
    expect(approveProposal(open, 'eva', at)).toEqual({ ...draft, status: 'approved', approval: { at, by: 'eva' } })
    expect(approveProposal(open, 'eva', draft.expiresAt)).toBe('expired')
    expect(approveProposal(open, 'ana', after(1))).toBe('own_proposal')
  })

  test('is withdrawn by its proposer or an admin', () => {
    const by = (name: string, isAdmin: boolean) => withdrawProposal(open, { by: name, isAdmin }, after(1))
    expect(by('ana', false)).toMatchObject({ status: 'withdrawn', withdrawal: { by: 'ana' } })
    expect(by('eva', true)).toMatchObject({ status: 'withdrawn', withdrawal: { by: 'eva' } })
    expect(by('eva', false)).toBe('not_proposer')
    expect(withdrawProposal(open, { by: 'ana', isAdmin: false }, draft.expiresAt)).toBe('expired')
  })

  test('is rejected by who could approve it, never by the proposer', () => {
    const by = (person: string, role: 'operator' | 'admin') => rejectProposal(open, { person, role }, 'no', after(1))
    expect(by('eva', 'operator')).toEqual({
      ...draft,
      status: 'rejected',
      rejection: { at: after(1), by: 'eva', reason: 'no' },
    })
    expect(by('ana', 'admin')).toBe('own_proposal')
    const action = { type: 'change_limits', tenantId: 'ten_1', limits: { count: 1 } } as const
    const limits = { ...open, action }
    expect(rejectProposal(limits, { person: 'eva', role: 'operator' }, 'no', after(1))).toBe('needs_admin')
    expect(rejectProposal(limits, { person: 'eva', role: 'admin' }, 'no', after(1))).toMatchObject({
      status: 'rejected',
    })
    expect(rejectProposal(open, { person: 'eva', role: 'admin' }, 'no', draft.expiresAt)).toBe('expired')
  })

  test('is shown as expired from its instant on; the other states stay', () => {
    expect(proposalStatusAt(open, after(3_599))).toBe('open')
    expect(proposalStatusAt(open, after(3_600))).toBe('expired')
    const approved = openProposal(draft, draft.action.amount)
    expect(proposalStatusAt(approved, after(3_600))).toBe('approved')
  })
})
