import {
  type Proposal,
  proposalActionTypes,
  proposalFailures,
  type ProposalQuery,
  proposalStatusAt,
  proposalStatuses,
  storedAction,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members, oneOf, queryMembers, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import { type Details, details, detailsOf, presentOf, type ProposalPresent, summaryOf } from './details.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'

const operatorName = z.string().meta({ description: 'The person who acted.' })

/** An action that one operator proposes and another one approves. */
export const proposal = z
  .object({
    id: idText('prp'),
    action: z.enum(proposalActionTypes),
    summary: z
      .string()
      .meta({
        description: 'The parameters of the action in one line, a changed one as `present → new`.',
        examples: ['payment_cap_bob 50000.00 → 90000.00'],
      }),
    tenant_name: z
      .string()
      .nullable()
      .meta({
        description: 'The legal name; null where it concerns no tenant, and in the history of a payout.',
        examples: ['Comercial Andina S.R.L.'],
      }),
    tenant_id: idText('ten').nullable().meta({ description: 'Null: it concerns no tenant.' }),
    subject: z.string().meta({ description: 'The id of what the action changes.' }),
    details,
    present: details
      .nullable()
      .meta({
        description: 'The present values of what it changes; null where there are none, and once it is decided.',
      }),
    reason: z.string(),
    evidence: z.object({ note: z.string(), digest: z.string() }).nullable(),
    status: z.enum(proposalStatuses),
    proposed_by: operatorName,
    created_at: time,
    expires_at: time.meta({ description: 'From then on it cannot be approved.' }),
    approved_by: operatorName
      .nullable()
      .meta({
        description:
          'Null until it is approved, and when no approval was needed: the amount was at most `APPROVAL_LIMIT_USDT`.',
      }),
    approved_at: time.nullable(),
    executed_at: time.nullable(),
    withdrawn_by: operatorName.nullable(),
    withdrawn_at: time.nullable(),
    rejected_by: operatorName.nullable(),
    rejected_at: time.nullable(),
    reject_reason: z.string().nullable(),
    failed_at: time.nullable(),
    failure: z
      .enum(proposalFailures)
      .nullable()
      .meta({ description: 'Why the action could not be executed. No money moved.' }),
  })
  .meta({ id: 'Proposal' })
export type ProposalJson = z.output<typeof proposal>

/** @param now  decides between `open` and `expired` */
export function proposalToJson(stored: Proposal, now: Date, about: ProposalPresent = {}): ProposalJson {
  const { action, tenantId, evidence } = stored
  const { type, subject } = storedAction(action)
  const approval = 'approval' in stored ? stored.approval : null
  const withdrawal = stored.status === 'withdrawn' ? stored.withdrawal : null
  const rejection = stored.status === 'rejected' ? stored.rejection : null
  const failure = stored.status === 'failed' ? stored.failure : null
  const at = (instant: Date | undefined) => (instant ? instantToJson(instant) : null)
  const next: Details = detailsOf(action)
  const present = stored.status === 'open' ? presentOf(action, about) : null
  return {
    id: stored.id,
    action: type,
    summary: summaryOf(present, next),
    tenant_name: about.tenant?.legalName ?? null,
    tenant_id: tenantId,
    subject,
    details: next,
    present,
    reason: stored.reason,
    evidence: evidence && { note: evidence.note, digest: evidence.digest },
    status: proposalStatusAt(stored, now),
    proposed_by: stored.proposedBy,
    created_at: instantToJson(stored.createdAt),
    expires_at: instantToJson(stored.expiresAt),
    approved_by: approval?.by ?? null,
    approved_at: at(approval?.at),
    executed_at: at(stored.status === 'executed' ? stored.executedAt : undefined),
    withdrawn_by: withdrawal?.by ?? null,
    withdrawn_at: at(withdrawal?.at),
    rejected_by: rejection?.by ?? null,
    rejected_at: at(rejection?.at),
    reject_reason: rejection?.reason ?? null,
    failed_at: at(failure?.at),
    failure: failure?.code ?? null,
  }
}

export const proposalPage = pageOf(proposal, 'ProposalPage')

export const proposalRejection = members({
  reason: text(1, 500).meta({ examples: ['The evidence is of another payout.'] }),
})

/** Reads the body of `POST /operator/v1/proposals/{id}/reject`: the reason. */
export const parseRejection = (body: unknown): Parsed<string> =>
  mapParsed(parse(proposalRejection, body), ({ reason }) => reason)

export const proposalListQuery = queryMembers({
  status: oneOf(proposalStatuses).optional(),
  action: oneOf(proposalActionTypes).optional(),
  tenant_id: id('ten').optional(),
  subject: text(1, 512)
    .meta({ description: 'The id of what it changes.', examples: ['po_01K6HZ8M00000000000000000A'] })
    .optional(),
  ...pageParameters,
})

/** Reads the query of `GET /operator/v1/proposals`. */
export const parseProposalList = (search: URLSearchParams | string): Parsed<ListRequest<Omit<ProposalQuery, 'now'>>> =>
  parseList(proposalListQuery, ['proposals', 'operator'], search)
