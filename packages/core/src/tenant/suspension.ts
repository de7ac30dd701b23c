import type { Evidence, ProposalNote } from '../proposal/proposal.ts'

/** Why an operator suspends a tenant. */
export const suspensionCauses = [
  'court_order',
  'fraud',
  'sanctions',
  'stolen_key',
  'unpaid',
  'tenant_request',
  'other',
] as const
/** One cause of a suspension. */
export type SuspensionCause = (typeof suspensionCauses)[number]

/** The suspension of a tenant. Operators alone read it. */
export type Suspension = {
  readonly cause: SuspensionCause
  readonly reason: string
  readonly evidence: Evidence | null
  readonly at: Date
}

/** A suspension as its operator states it. */
export type SuspensionRequest = Omit<Suspension, 'at'>

const causesOfTwo: readonly SuspensionCause[] = ['court_order', 'fraud', 'sanctions']

/** Whether a suspension of this cause ends only when a second person approves it, and no other suspension replaces it. */
export const needsTwoToResume = (suspension: Pick<Suspension, 'cause'> | undefined): boolean =>
  suspension !== undefined && causesOfTwo.includes(suspension.cause)

/** The members of a suspension in an audit entry; none without one. */
export const suspensionState = (suspension: Suspension | undefined): Readonly<Record<string, string>> =>
  suspension === undefined
    ? {}
    : {
        suspension_cause: suspension.cause,
        suspension_reason: suspension.reason,
        ...(suspension.evidence && { suspension_evidence: suspension.evidence.digest }),
        suspended_at: suspension.at.toISOString(),
      }

/** The reason of a change of a tenant, as its audit entry has it. */
export const noteState = (
  note: Pick<ProposalNote, 'reason' | 'evidence'> | undefined,
): Readonly<Record<string, string>> =>
  note === undefined ? {} : { reason: note.reason, ...(note.evidence && { evidence_digest: note.evidence.digest }) }
