import { describe, expect, test } from 'vitest'
import { draft } from '../proposal/proposal.fixture.ts'
import type { Proposal } from '../proposal/proposal.ts'
import { closeDifference, type ClosureNote } from './close-difference.ts'
import type { Difference } from './difference.ts'
import { closure, foundAt, openDifference } from './difference.fixture.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

const { at: now, reason } = closure
const note: ClosureNote = { reason, proposalId: null }
const executed: Proposal = {
  ...draft,
  id: 'prp_1',
  tenantId: 'ten_1',
  status: 'executed',
  approval: { at: now, by: 'eva' },
  executedAt: now,
}

/** Closes differences over a store with one, and a store with one proposal. */
function harness(
  of: Partial<Difference> = {},
  { proposal = executed, result = 'committed' }: { proposal?: Proposal; result?: 'committed' | 'stale' } = {},
) {
  const difference = { ...openDifference, ...of }
  const written: unknown[] = []
  const close = closeDifference({
    differences: {
      find: async (id) => (id === difference.id ? difference : undefined),
      close: async (...args) => {
        written.push(args)
        return result
      },
    },
    proposals: { find: async (id) => (id === proposal.id ? proposal : undefined) },
    now: () => now,
  })
  return { close, difference, written }
}
const refused = (code: string) => ({ type: 'refused', code })

test('an open difference is closed by the operator, now, with the reason', async () => {
  const { close, difference, written } = harness()
  expect(await close(operatorNamed('ana'), 'dif_1', note)).toEqual({
    type: 'closed',
    difference: { ...difference, status: 'closed', closure },
  })
  expect(written).toEqual([['dif_1', closure, operatorNamed('ana')]])
})

test('an unknown difference is not found', async () => {
  const { close, written } = harness()
  expect(await close(operatorNamed('ana'), 'dif_2', note)).toEqual(refused('not_found'))
  expect(written).toEqual([])
})

test('a difference that is gone is not closed', async () => {
  const { close, written } = harness({ status: 'gone', goneAt: foundAt })
  expect(await close(operatorNamed('ana'), 'dif_1', note)).toEqual(refused('not_open'))
  expect(written).toEqual([])
})

test('a difference that another closure reached first is not open', async () => {
  const { close, written } = harness({}, { result: 'stale' })
  expect(await close(operatorNamed('ana'), 'dif_1', note)).toEqual(refused('not_open'))
  expect(written).toHaveLength(1)
})

describe('a closed difference', () => {
  const closed = { status: 'closed', closure: { ...closure, proposalId: 'prp_1' } } as const
  const repeated = { reason, proposalId: 'prp_1' }

  test('is answered as it is when the same operator repeats the same note', async () => {
    const { close, difference, written } = harness(closed)
    expect(await close(operatorNamed('ana'), 'dif_1', repeated)).toEqual({ type: 'closed', difference })
    expect(written).toEqual([])
  })

  test.each<[string, string, ClosureNote]>([
    ['by another operator', 'ben', repeated],
    ['for another reason', 'ana', { ...repeated, reason: 'Paid twice.' }],
    ['without its proposal', 'ana', note],
    ['by another proposal', 'ana', { ...repeated, proposalId: 'prp_2' }],
  ])('is not closed again %s', async (_, actor, other) => {
    const { close, written } = harness(closed)
    expect(await close(operatorNamed(actor), 'dif_1', other)).toEqual(refused('not_open'))
    expect(written).toEqual([])
  })
})

describe('a proposal in the note', () => {
  const corrected: ClosureNote = { reason, proposalId: 'prp_1' }

  test('that was executed for the tenant is in the closure', async () => {
    const { close, difference, written } = harness()
    const after = { ...closure, proposalId: 'prp_1' }
    expect(await close(operatorNamed('ana'), 'dif_1', corrected)).toEqual({
      type: 'closed',
      difference: { ...difference, status: 'closed', closure: after },
    })
    expect(written).toEqual([['dif_1', after, operatorNamed('ana')]])
  })

  const approved: Proposal = { ...draft, status: 'approved', approval: { at: now, by: 'eva' } }
  test.each<[string, Partial<Difference>, Proposal, string]>([
    ['that does not exist', {}, { ...executed, id: 'prp_2' }, 'proposal_not_found'],
    ['of another tenant', { tenantId: 'ten_2' }, executed, 'proposal_of_another_tenant'],
    ['of a tenant, when the difference is of none', { tenantId: null }, executed, 'proposal_of_another_tenant'],
    ['that was not executed', {}, { ...approved, id: 'prp_1', tenantId: 'ten_1' }, 'proposal_not_executed'],
  ])('%s closes nothing', async (_, of, proposal, code) => {
    const { close, written } = harness(of, { proposal })
    expect(await close(operatorNamed('ana'), 'dif_1', corrected)).toEqual(refused(code))
    expect(written).toEqual([])
  })
})
