import { describe, expect, test } from 'vitest'
import type { Deposit } from '../deposit/deposit.ts'
import { usdt } from '../money.ts'
import { completed, processing } from '../payout/payout.fixture.ts'
import { someDeposit } from '../deposit/deposit.fixture.ts'
import type { ProposalAction } from '../proposal/action.ts'
import type { ProposalAnswer } from './manage-proposals.ts'
import { operator, proposalWorld, review } from './manage-proposals.fixture.ts'
import { after, draft, start } from '../proposal/proposal.fixture.ts'
import { defaultProposalSettings } from '../proposal/proposal-settings.ts'
import { Unauthorized } from '../access/operator.ts'
import type { Proposal } from '../proposal/proposal.ts'

const [ana, eva, ben] = [operator('ana'), operator('eva'), operator('ben')]
const note = { reason: 'Fee charged twice.', evidence: null }
const evidence = { note: 'The bank’s statement.', digest: 'ab'.repeat(32) }
const large = { direction: 'in', amount: usdt(2n) } as const
const refused = (code: string) => ({ type: 'refused', code })
const approval = { at: start, by: 'eva' }
const adjusted = { write: 'adjust', id: draft.id }
const open: Proposal = { ...draft, status: 'open' }
const approved: Proposal = { ...draft, status: 'approved', approval }

function proposalOf(answer: ProposalAnswer): Proposal {
  if (answer.type === 'refused') throw new Error(answer.code)
  return answer.proposal
}

/** A world with this proposal. */
function worldWith(proposal: Proposal) {
  const { world, manage } = proposalWorld()
  world.proposals.set(proposal.id, proposal)
  return { world, manage }
}

describe('a proposal', () => {
  test('above the limit waits for a second person until it expires', async () => {
    const { world, manage } = proposalWorld()
    const request = { key: 'k', fingerprint: 'f' }
    const answer = await manage.adjustWallet(ana, 'ten_1', large, { ...note, request })
    const proposal = {
      id: expect.stringMatching(/^prp_/),
      tenantId: 'ten_1',
      ...note,
      proposedBy: 'ana',
      action: { type: 'adjust_wallet', tenantId: 'ten_1', ...large },
      status: 'open',
      createdAt: start,
      expiresAt: after(3600),
    }
    expect(answer).toEqual({ type: 'proposal', proposal })
    expect(world.written).toEqual([{ write: 'insert', proposal, by: ana, request }])
  })

  test('of a tenant that does not exist, or with a token that was revoked, is refused', async () => {
    const { world, manage } = proposalWorld()
    expect(await manage.adjustWallet(ana, 'ten_2', large, note)).toEqual(refused('not_found'))
    expect(world.written).toEqual([])
    world.inserts = 'unauthorized'
    await expect(manage.adjustWallet(ana, 'ten_1', large, note)).rejects.toThrow(Unauthorized)
    expect(world.written).toMatchObject([{ write: 'insert' }])
  })

  test('that the same request made before is answered as it stands, and executed if it was not', async () => {
    const { world, manage } = worldWith(approved)
    world.inserts = { fingerprint: 'f', subject: draft.id }
    const propose = (fingerprint: string) =>
      manage.adjustWallet(ana, 'ten_1', large, { ...note, request: { key: 'k', fingerprint } })
    for (let i = 0; i < 2; i++)
      expect(await propose('f')).toMatchObject({
        type: 'proposal',
        replayed: true,
        proposal: { id: draft.id, status: 'executed' },
      })
    expect(world.written).toMatchObject([{ write: 'insert' }, adjusted, { write: 'insert' }])
    expect(await propose('g')).toEqual(refused('key_reused'))
  })

  test.each<[string | null, string | null, Deposit | undefined]>([
    ['not_found', 'not_found', undefined],
    ['not_in_review', 'not_in_review', someDeposit],
    ['not_creditable', null, { ...review, reviewCode: 'TRANSFER_DROPPED' }],
    [null, null, review],
  ])('to credit a deposit is refused as %s, and to close it as %s', async (credit, close, found) => {
    const { tenantId, amount } = review
    for (const [type, code] of [
      ['credit_deposit', credit],
      ['close_deposit', close],
    ] as const) {
      const { world, manage } = proposalWorld()
      world.deposit = found
      const answer = await manage.resolveDeposit(ana, review.id, type, note)
      const action = { type, depositId: review.id, amount }
      if (code === null) expect(proposalOf(answer)).toMatchObject({ tenantId, action, ...note })
      else expect(answer).toEqual(refused(code))
      expect(world.written).toHaveLength(code === null ? 1 : 0)
    }
  })

  test('to settle a payout needs one in processing that was queried', async () => {
    const { world, manage } = proposalWorld()
    const settlement = { outcome: 'failed', paid: null, networkPaymentId: null } as const
    const propose = () => manage.settlePayout(ana, 'po_1', settlement, { ...note, evidence })
    expect(await propose()).toEqual(refused('not_found'))
    world.undecided = { payout: completed.payout, isAsked: true, networkPaid: null, isRefunded: false }
    expect(await propose()).toEqual(refused('already_ended'))
    world.undecided = { payout: processing, isAsked: false, networkPaid: null, isRefunded: false }
    expect(await propose()).toEqual(refused('not_queried'))
    expect(world.written).toEqual([])
    world.undecided = { payout: processing, isAsked: true, networkPaid: null, isRefunded: false }
    const action = { type: 'settle_payout', payoutId: 'po_1', ...settlement }
    expect(await propose()).toMatchObject({
      proposal: { status: 'open', tenantId: 'ten_1', reason: note.reason, evidence, action },
    })
  })
})

describe('to refund a payout', () => {
  const { payout } = completed
  const price = payout.quote.source

  test.each([
    ['is not there', undefined],
    ['is in processing', { payout: processing, isRefunded: false }],
    ['has a refund', { payout, isRefunded: true }],
  ])('is refused when it %s', async (_name, found) => {
    const { world, manage } = proposalWorld()
    world.undecided = found && { ...found, isAsked: true, networkPaid: null }
    const code = !found ? 'not_found' : found.isRefunded ? 'already_refunded' : 'not_refundable'
    expect(await manage.refundPayout(ana, 'po_1', null, note)).toEqual(refused(code))
    expect(world.written).toEqual([])
  })

  test('takes its price or less, and always a second person', async () => {
    for (const [given, amount] of [
      [null, price],
      [price, price],
      [usdt(1n), usdt(1n)],
    ] as const) {
      const { world, manage } = proposalWorld()
      world.undecided = { payout, isAsked: false, networkPaid: null, isRefunded: false }
      const more = usdt(price.minor + 1n)
      expect(await manage.refundPayout(ana, 'po_1', more, note)).toEqual(refused('not_refundable'))
      const action = { type: 'adjust_wallet', direction: 'in', amount, payoutId: 'po_1' }
      expect(await manage.refundPayout(ana, 'po_1', given, note)).toMatchObject({
        proposal: { status: 'open', ...note, action: { ...action, tenantId: payout.tenantId } },
      })
    }
  })

  test('is refused while a proposal of it is open, on whatever page', async () => {
    const { world, manage } = proposalWorld()
    world.undecided = { payout, isAsked: true, networkPaid: null, isRefunded: false }
    const propose = () => manage.refundPayout(ana, 'po_1', null, note)
    const proposal = proposalOf(await propose())
    await manage.adjustWallet(ana, 'ten_1', large, note)
    expect(await propose()).toEqual(refused('already_refunded'))
    await manage.withdraw(ana, proposal.id)
    expect(await propose()).toMatchObject({ type: 'proposal' })
  })
})

describe('an approval', () => {
  test('is refused to the proposer, to a lower role, with a revoked token and of nothing', async () => {
    const { world, manage } = worldWith(open)
    const limits: ProposalAction = { type: 'change_limits', tenantId: 'ten_1', limits: {} }
    world.proposals.set('prp_2', { ...open, id: 'prp_2', action: limits })
    expect(await manage.approve(ana, draft.id)).toEqual(refused('own_proposal'))
    const viewer = operator('eva', 'viewer')
    expect(await manage.approve(viewer, draft.id)).toEqual(refused('needs_admin'))
    expect(await manage.approve(eva, 'prp_2')).toEqual(refused('needs_admin'))
    expect(await manage.approve(eva, 'prp_3')).toEqual(refused('not_found'))
    expect(world.written).toEqual([])
    world.commits.push('unauthorized')
    await expect(manage.approve(eva, draft.id)).rejects.toThrow(Unauthorized)
    expect(await manage.approve(operator('eva', 'admin'), 'prp_2')).toMatchObject({
      proposal: { status: 'approved', approval },
    })
  })

  test('starts again with the proposal as another write left it', async () => {
    const { world, manage } = worldWith(open)
    world.commits.push('stale')
    const withdrawal = { at: start, by: 'ana' }
    world.meanwhile = { ...draft, status: 'withdrawn', withdrawal }
    expect(await manage.approve(eva, draft.id)).toEqual(refused('not_open'))
    expect(world.written).toHaveLength(1)
  })
})

test('a proposal is withdrawn by its proposer or an admin, and moves nothing', async () => {
  for (const author of [ana, operator('eva', 'admin')]) {
    const { world, manage } = worldWith(open)
    world.seconds = 5
    expect(await manage.withdraw(ben, draft.id)).toEqual(refused('not_proposer'))
    expect(await manage.withdraw(author, draft.id)).toMatchObject({
      proposal: { status: 'withdrawn', withdrawal: { at: after(5), by: author.person } },
    })
    expect(world.written).toEqual([{ write: 'commit', status: 'withdrawn', by: author }])
  }
})

test('by default every amount needs two people, who have three days', () => {
  expect(defaultProposalSettings).toEqual({ approvalLimit: usdt(0n), lifeSeconds: 259_200 })
})
