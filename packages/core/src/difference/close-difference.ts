import { authorized, type Operator } from '../access/operator.ts'
import type { ProposalStore } from '../proposal/ports.ts'
import type { Clock } from '../time.ts'
import type { Difference, DifferenceClosure } from './difference.ts'
import type { DifferenceStore } from './ports.ts'

/** The ports of `closeDifference`. */
export type CloseDifferencePorts = {
  readonly differences: Pick<DifferenceStore, 'find' | 'close'>
  readonly proposals: Pick<ProposalStore, 'find'>
  readonly now: Clock
}

/** Why a difference was not closed. */
export type CloseDifferenceRefusal =
  | 'not_found'
  /** It is gone, or another closure came first. */
  | 'not_open'
  | 'proposal_not_found'
  | 'proposal_not_executed'
  /** The proposal is of another tenant than the difference, or the difference concerns no single tenant. */
  | 'proposal_of_another_tenant'

/** The difference as it now stands, or why nothing was written. */
export type CloseDifferenceResult =
  | { readonly type: 'closed'; readonly difference: Difference }
  | { readonly type: 'refused'; readonly code: CloseDifferenceRefusal }

/** The note of an operator about a difference. */
export type ClosureNote = Pick<DifferenceClosure, 'reason' | 'proposalId'>

/** Closes a difference. */
export type CloseDifference = (operator: Operator, id: string, note: ClosureNote) => Promise<CloseDifferenceResult>

/**
 * Closes an open difference: it is explained, or an executed proposal has corrected it. The same person may
 * repeat it with the same note.
 *
 * @throws Unavailable when the outcome of the write is unknown; repeat the call
 * @throws Unauthorized without the active token of an operator
 * @example
 * ```ts
 * const [difference] = (await ports.differences.list({ limit: 1, status: 'open' })).items
 * const note = { reason: 'Paid twice; the network returned it.', proposalId: null }
 * const result = await closeDifference(ports)(ana, difference?.id ?? '', note)
 * console.log(result.type === 'closed' && result.difference.status) // closed
 * ```
 */
export function closeDifference(ports: CloseDifferencePorts): CloseDifference {
  return async (operator, id, note) => {
    const stored = await ports.differences.find(id)
    if (stored === undefined) return refused('not_found')
    if (isSameClosure(stored, operator.person, note)) return { type: 'closed', difference: stored }
    if (stored.status !== 'open') return refused('not_open')
    const refusal = await proposalRefusal(ports, stored, note.proposalId)
    if (refusal !== null) return refused(refusal)
    const closure = { ...note, by: operator.person, at: ports.now() }
    const result = authorized(await ports.differences.close(id, closure, operator))
    if (result === 'stale') return refused('not_open')
    return { type: 'closed', difference: { ...stored, status: 'closed', closure } }
  }
}

const refused = (code: CloseDifferenceRefusal): CloseDifferenceResult => ({ type: 'refused', code })

const isSameClosure = ({ closure }: Difference, actor: string, { reason, proposalId }: ClosureNote): boolean =>
  closure?.by === actor && closure.reason === reason && closure.proposalId === proposalId

async function proposalRefusal(
  { proposals }: CloseDifferencePorts,
  { tenantId }: Difference,
  proposalId: string | null,
): Promise<CloseDifferenceRefusal | null> {
  if (proposalId === null) return null
  const proposal = await proposals.find(proposalId)
  if (!proposal) return 'proposal_not_found'
  if (proposal.tenantId !== tenantId) return 'proposal_of_another_tenant'
  return proposal.status === 'executed' ? null : 'proposal_not_executed'
}
