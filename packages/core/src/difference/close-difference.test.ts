import { expect, test } from 'vitest'
import { draft } from '../proposal/proposal.fixture.ts'
import type { Proposal } from '../proposal/proposal.ts'
import { closeDifference } from './close-difference.ts'
import type { Difference } from './difference.ts'
import { closure, openDifference } from './difference.fixture.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

const [ana, ben] = [operatorNamed('ana'), operatorNamed('ben')]
const { at: now, reason } = closure
const approval = { at: now, by: 'eva' }
const executed: Proposal = { ...draft, id: 'prp_1', tenantId: 'ten_1', status: 'executed', approval, executedAt: now }
const note = { reason, proposalId: 'prp_1' }
const closed: Difference = { ...openDifference, status: 'closed', closure: { ...closure, proposalId: 'prp_1' } }

/** Closes a difference by a note that names a proposal; and what was written. */
async function close(difference = openDifference, proposal = executed, by = ana, of = note) {
  const written: unknown[] = []
  const answer = await closeDifference({
    differences: {
      find: async () => difference,
      close: async (...args) => {
        written.push(args)
        return 'committed'
      },
    },
    proposals: { find: async (id) => (id === proposal.id ? proposal : undefined) },
    now: () => now,
  })(by, 'dif_1', of)
  return { answer, written }
}

test('an open difference is closed now, with the reason and the executed proposal', async () => {
  const { answer, written } = await close()
  expect(answer).toEqual({ type: 'closed', difference: closed })
  expect(written).toEqual([['dif_1', closed.closure, ana]])
})

test('a closed one is answered as it is to the same note of the same operator', async () => {
  expect(await close(closed)).toEqual({ answer: { type: 'closed', difference: closed }, written: [] })
})

test.each([
  ['not_open', close(closed, executed, ben)],
  ['not_open', close(closed, executed, ana, { ...note, reason: 'Paid twice.' })],
  ['not_open', close({ ...openDifference, status: 'gone', goneAt: now })],
  ['proposal_not_found', close(openDifference, { ...executed, id: 'prp_2' })],
  ['proposal_of_another_tenant', close({ ...openDifference, tenantId: 'ten_2' })],
  ['proposal_of_another_tenant', close({ ...openDifference, tenantId: null })],
  ['proposal_not_executed', close(openDifference, { ...executed, status: 'approved' })],
])('a closure is refused as %s (%#)', async (code, closing) => {
  expect(await closing).toEqual({ answer: { type: 'refused', code }, written: [] })
})
