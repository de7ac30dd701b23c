import type { IRouter } from 'express'
import type { ManageProposals, ScreeningStore } from '@quipu/core/operator'
import { parseScreeningCaseList, parseScreeningDecision, screeningCaseToJson } from '@quipu/wire'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed, allowedPage, allowedRecord } from '../allowed.ts'
import { proposalOf, proposedAnswer, type ProposalView } from '../proposal/proposal-routes.ts'

export type ScreeningRoutes = ProposalView & {
  readonly manageProposals: ManageProposals
  readonly screeningCases: Pick<ScreeningStore, 'find' | 'list'>
}

/** Cases of screening: read by every role, decided by two people. */
export function screeningRoutes(router: IRouter, ports: ScreeningRoutes): void {
  const { manageProposals, screeningCases } = ports
  bind(router, '/operator/v1/screening-cases', {
    get: allowedPage('viewer', {
      query: parseScreeningCaseList,
      list: (query) => screeningCases.list(query),
      toJson: screeningCaseToJson,
    }),
  })

  bind(router, '/operator/v1/screening-cases/:id', {
    get: allowedRecord(
      'viewer',
      'SCREENING_CASE_NOT_FOUND',
      (req) => screeningCases.find(caseIdOf(req)),
      screeningCaseToJson,
    ),
  })

  bind(router, '/operator/v1/screening-cases/:id/decide', {
    post: allowed('operator', {
      body: parseScreeningDecision,
      async handle(actor, { req, body: { decision, ...note } }) {
        const answer = await manageProposals.decideScreening(actor, caseIdOf(req), decision, note)
        return proposedAnswer(ports, proposalOf(answer, 'SCREENING_CASE_NOT_FOUND'))
      },
    }),
  })
}

const caseIdOf = idInPath('scr', 'SCREENING_CASE_NOT_FOUND')
