import {
  type Evidence,
  type ScreeningCase,
  type ScreeningCaseQuery,
  screeningCaseStatuses,
  type ScreeningDecision,
  screeningDecisions,
  screeningKinds,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members, oneOf, queryMembers, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { evidenceRequest } from '../json/note.ts'
import { parse, type Parsed } from '../json/parsed.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { proposedAnswer } from '../proposal/proposal-paths.ts'

/** A case of screening. */
export const screeningCase = z
  .object({
    id: idText('scr'),
    kind: z
      .enum(screeningKinds)
      .meta({ description: 'Who was screened: the sender of a deposit, a merchant, a tenant.' }),
    outcome: z.enum(['listed', 'unanswered']).meta({ description: '`unanswered`: an outage of screening.' }),
    status: z
      .enum(screeningCaseStatuses)
      .meta({ description: '`answered`: the outage is over. The others than `open` are decisions of two people.' }),
    name: z.string().meta({ description: 'What was screened.', examples: ['Comercial Andina S.R.L.'] }),
    tenant_id: idText('ten').nullable().meta({ description: 'The tenant that it happened to first.' }),
    list: z.string().meta({ examples: ['sanctions'] }),
    version: z.string().meta({ description: 'Of the list.', examples: ['2026-11-20'] }),
    reason: z.string().meta({ description: 'Of the list, or why there was no answer.', examples: ['fraud'] }),
    reference: z.string().nullable().meta({ description: 'The deposit or tenant that it happened to last.' }),
    hits: z
      .int()
      .min(1)
      .meta({ description: 'How often it happened.', examples: [3] }),
    opened_at: time,
    last_hit_at: time,
    decided_at: time.nullable(),
    decided_by: z
      .string()
      .nullable()
      .meta({ description: 'Who approved the decision.', examples: ['omar'] }),
    proposal_id: idText('prp').nullable().meta({ description: 'The decision, with its reason and evidence.' }),
  })
  .meta({ id: 'ScreeningCase' })
export type ScreeningCaseJson = z.output<typeof screeningCase>

export const screeningCaseToJson = (found: ScreeningCase): ScreeningCaseJson => rowToJson(screeningCase, found, {})

const screeningCasePage = pageOf(screeningCase, 'ScreeningCasePage')

const screeningCaseListQuery = queryMembers({
  status: oneOf(screeningCaseStatuses).optional(),
  kind: oneOf(screeningKinds).optional(),
  tenant_id: id('ten').optional(),
  ...pageParameters,
})

/** Reads the query of `GET /operator/v1/screening-cases`. */
export const parseScreeningCaseList = (search: URLSearchParams | string): Parsed<ListRequest<ScreeningCaseQuery>> =>
  parseList(screeningCaseListQuery, ['screening_cases', 'operator'], search)

const screeningDecisionRequest = members({
  decision: oneOf(screeningDecisions).meta({
    description: '`cleared`: it is another one than the one on the list. `confirmed`: it is the one on the list.',
  }),
  reason: text(1, 500).meta({ examples: ['Another company of this name: other owners.'] }),
  evidence: evidenceRequest,
}).meta({ id: 'ScreeningDecisionRequest' })

/** A decision as an operator proposes it. */
export type ScreeningDecisionJson = {
  readonly decision: ScreeningDecision
  readonly reason: string
  readonly evidence: Evidence
}

/** Reads the body of `POST /operator/v1/screening-cases/{id}/decide`. */
export const parseScreeningDecision = (body: unknown): Parsed<ScreeningDecisionJson> =>
  parse(screeningDecisionRequest, body)

const tag = 'Screening'
const path = z.object({ id: id('scr') })

const open: ScreeningCase = {
  id: `scr_${example.ulid('0K')}`,
  kind: 'merchant',
  outcome: 'listed',
  subject: '1014 ANDINA COMERCIAL',
  name: 'Comercial Andina',
  tenantId: example.tenant.id,
  list: 'sanctions',
  version: '2026-11-20',
  reason: 'fraud',
  reference: null,
  hits: 3,
  createdAt: example.at(0),
  openedAt: example.at(0),
  lastHitAt: example.at(3_600),
  status: 'open',
  decidedAt: null,
  decidedBy: null,
  proposalId: null,
}
const cleared: ScreeningCase = {
  ...open,
  status: 'cleared',
  decidedAt: example.at(7_200),
  decidedBy: 'omar',
  proposalId: `prp_${example.ulid('0G')}`,
}

const list = operation({
  id: 'listScreeningCases',
  tag,
  summary: 'List cases of screening, newest first',
  description:
    'With `status=open`: who was found on a list and waits for a decision, and what screening does not answer.',
  access: 'operator',
  query: screeningCaseListQuery,
  answers: lastPage(screeningCasePage, [open], screeningCaseToJson),
  refused: parseScreeningCaseList('status=pending&limit=0'),
})

const get = operation({
  id: 'getScreeningCase',
  tag,
  summary: 'Read a case of screening',
  access: 'operator',
  path,
  answers: ok('The case.', screeningCase, { open: screeningCaseToJson(open), cleared: screeningCaseToJson(cleared) }),
  refused: parseNoQuery('expand=tenant'),
  errors: ['SCREENING_CASE_NOT_FOUND'],
})

const decide = operation({
  id: 'decideScreeningCase',
  tag,
  summary: 'Propose that a case is cleared or confirmed',
  description:
    'An admin approves it, another one than the proposer. A cleared subject passes from then on, also on the next hit of this list for this reason; a tenant that was suspended is then resumed by `POST /operator/v1/tenants/{id}/resume`. A decision can be changed by another one.',
  access: 'operator',
  path,
  body: {
    schema: screeningDecisionRequest,
    examples: {
      cleared: {
        decision: 'cleared',
        reason: 'Another company of this name: other owners.',
        evidence: { note: 'The register of commerce.', digest: '9f86d081884c7d65'.repeat(4) },
      },
    },
  },
  answers: { 202: proposedAnswer },
  refused: parseScreeningDecision({ decision: 'open', reason: '' }),
  errors: ['SCREENING_CASE_NOT_FOUND', 'SCREENING_CASE_DECIDED'],
})

export const screeningPaths: ZodOpenApiPathsObject = {
  '/operator/v1/screening-cases': { get: list },
  '/operator/v1/screening-cases/{id}': { get },
  '/operator/v1/screening-cases/{id}/decide': { post: decide },
}
