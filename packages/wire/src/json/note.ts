import type { ProposalNote } from '@quipu/core/operator'
import { matching, members, text } from './fields.ts'

const digestRule = 'must be a SHA-256: 64 lowercase hexadecimal digits'

export const evidenceRequest = members({
  note: text(1, 2_000).meta({ examples: ['The merchant’s statement of 20 November.'] }),
  digest: matching(/^[0-9a-f]{64}$/, digestRule).meta({
    description: 'SHA-256 of the attachment, which is kept outside Quipu.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
}).meta({ id: 'EvidenceRequest' })

/** The reason and the evidence of a proposal. */
export const noteMembers = {
  reason: text(1, 500).meta({ examples: ['Fee charged twice on 20 November.'] }),
  evidence: evidenceRequest.optional(),
}

/** The members of a note where only some requests need a second person. */
export const optionalNote = {
  reason: noteMembers.reason
    .meta({ description: 'Required when another operator has to approve the request.' })
    .optional(),
  evidence: noteMembers.evidence,
}

/** Reads `optionalNote`; undefined without a reason. */
export const readOptionalNote = ({
  reason,
  evidence = null,
}: {
  readonly reason?: string | undefined
  readonly evidence?: ProposalNote['evidence'] | undefined
}): ProposalNote | undefined => (reason === undefined ? undefined : { reason, evidence })
