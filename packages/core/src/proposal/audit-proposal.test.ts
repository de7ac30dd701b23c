import { expect, test } from 'vitest'
import { auditProposal, auditProposalStep } from './audit-proposal.ts'
import { after, draft } from './proposal.fixture.ts'
import { failProposal } from './steps.ts'
import { originOf } from '../audit/operator.fixture.ts'

const open = { ...draft, status: 'open' } as const

test('the entry of a new proposal has the digest of its evidence, and not its text', () => {
  const digest = 'ab'.repeat(32)
  const evidence = { note: 'The bank’s statement.', digest }
  const plain = {
    status: 'open',
    action: 'adjust_wallet',
    subject: draft.tenantId,
    direction: 'in',
    amount_minor: '5000000',
    reason: draft.reason,
  }
  expect(auditProposal(open, originOf('ana')).after).toStrictEqual(plain)
  expect(auditProposal({ ...open, evidence }, originOf('ana')).after).toStrictEqual({
    ...plain,
    evidence_digest: digest,
  })
})

test('the entry of a step has the states before and after, and why it failed', () => {
  const approved = { ...draft, status: 'approved', approval: { at: after(1), by: 'eva' } } as const
  const withdrawal = { at: after(2), by: 'ana' }
  const withdrawn = { ...draft, status: 'withdrawn', withdrawal } as const
  const about = { tenantId: draft.tenantId, subject: draft.id }
  expect(auditProposalStep(approved, originOf('eva'))).toStrictEqual({
    ...about,
    ...originOf('eva'),
    action: 'proposal.approve',
    at: after(1),
    before: { status: 'open' },
    after: { status: 'approved' },
  })
  expect(auditProposalStep(withdrawn, originOf('ana'))).toStrictEqual({
    ...about,
    ...originOf('ana'),
    action: 'proposal.withdraw',
    at: after(2),
    before: { status: 'open' },
    after: { status: 'withdrawn' },
  })
  const failed = failProposal(approved, 'DIFFERENCE_NOT_OPEN', after(3))
  expect(auditProposalStep(failed, originOf('ana'))).toStrictEqual({
    ...about,
    ...originOf('ana'),
    action: 'proposal.fail',
    at: after(3),
    before: { status: 'approved' },
    after: { status: 'failed', failure: 'DIFFERENCE_NOT_OPEN' },
  })
})
