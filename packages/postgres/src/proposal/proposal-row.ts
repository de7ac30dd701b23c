import { type ActionDetails, type Proposal, readAction, type StoredAction } from '@quipu/core/operator'

/** A row of `quipu.proposal`, as `proposalColumns` names it. */
export type ProposalRow = {
  readonly id: string
  readonly tenant_id: string | null
  readonly action: StoredAction['type']
  readonly subject: string
  readonly details: ActionDetails
  readonly reason: string
  readonly evidence_note: string | null
  readonly evidence_digest: string | null
  readonly proposed_by: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly status: Proposal['status']
  readonly approved_at: Date
  readonly approved_by: string | null
  readonly executed_at: Date
  readonly withdrawn_at: Date
  readonly withdrawn_by: string
  readonly rejected_at: Date
  readonly rejected_by: string
  readonly rejection: string
  readonly failed_at: Date
  readonly failure: Extract<Proposal, { status: 'failed' }>['failure']['code']
}

/** The columns of table `p` that `proposalFromRow` needs. */
export const proposalColumns = `p.id, p.tenant_id, p.action, p.subject, p.details, p.reason, p.evidence_note,
  p.evidence_digest, p.proposed_by, p.created_at, p.expires_at, p.status, p.approved_at, p.approved_by,
  p.executed_at, p.withdrawn_at, p.withdrawn_by, p.rejected_at, p.rejected_by, p.rejection, p.failed_at, p.failure`

/** The columns of later states are null before; the table's checks say which. */
export function proposalFromRow(row: ProposalRow): Proposal {
  const { evidence_note: note, evidence_digest: digest } = row
  const draft = {
    id: row.id,
    tenantId: row.tenant_id,
    action: readAction({ type: row.action, subject: row.subject, details: row.details }),
    reason: row.reason,
    evidence: note === null || digest === null ? null : { note, digest },
    proposedBy: row.proposed_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
  const approval = { at: row.approved_at, by: row.approved_by }
  switch (row.status) {
    case 'open':
      return { ...draft, status: 'open' }
    case 'approved':
      return { ...draft, status: 'approved', approval }
    case 'executed':
      return { ...draft, status: 'executed', approval, executedAt: row.executed_at }
    case 'failed':
      return { ...draft, status: 'failed', approval, failure: { at: row.failed_at, code: row.failure } }
    case 'rejected': {
      const { rejected_at: at, rejected_by: by, rejection: reason } = row
      return { ...draft, status: 'rejected', rejection: { at, by, reason } }
    }
    case 'withdrawn':
      return { ...draft, status: 'withdrawn', withdrawal: { at: row.withdrawn_at, by: row.withdrawn_by } }
  }
}
