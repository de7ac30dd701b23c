import type { ScreeningCase } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { proposedAnswer } from '../proposal/proposal-paths.ts'
import {
  parseScreeningCaseList,
  parseScreeningDecision,
  screeningCase,
  screeningCaseListQuery,
  screeningCasePage,
  screeningCaseToJson,
  screeningDecisionRequest,
} from './screening.ts'

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
