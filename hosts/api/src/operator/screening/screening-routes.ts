import type { IRouter, Request } from 'express'
import type { ManageProposals, ScreeningStore } from '@quipu/core/operator'
import { isId, parseScreeningCaseList, parseScreeningDecision, screeningCaseToJson } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
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
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const found = await screeningCases.find(caseIdOf(req))
        if (!found) throw new ApiError('SCREENING_CASE_NOT_FOUND')
        return { status: 200, json: screeningCaseToJson(found) }
      },
    }),
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

function caseIdOf(req: Request): string {
  const id = String(req.params['id'])
  if (!isId('scr', id)) throw new ApiError('SCREENING_CASE_NOT_FOUND')
  return id
}
