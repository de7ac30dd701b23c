import type { IRouter, Request } from 'express'
import type { ManageProposals, OperatePayouts, OperateRefusal, OperatorAnswer } from '@quipu/core/operator'
import { queriedPayoutToJson, type HttpErrorCode, parseNoBody, parseRefund, parseSettlement } from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'
import { proposalOf, proposedAnswer, type ProposalView } from '../proposal/proposal-routes.ts'

export type PayoutDecisionRoutes = ProposalView & {
  readonly operatePayouts: OperatePayouts
  readonly manageProposals: ManageProposals
}

/** Actions of operators on payouts that hang, or whose payment the network returned. */
export function payoutDecisionRoutes(router: IRouter, ports: PayoutDecisionRoutes): void {
  const { operatePayouts, manageProposals } = ports
  const query = (call: OperatePayouts['query']) =>
    allowed('operator', {
      body: parseNoBody,
      handle: async (actor, { req }) => queriedAnswer(await call(actor, payoutIdOf(req))),
    })

  bind(router, '/operator/v1/payouts/:id/query', { post: query(operatePayouts.query) })
  bind(router, '/operator/v1/payouts/:id/cancel', { post: query(operatePayouts.cancel) })
  bind(router, '/operator/v1/payouts/:id/settle', {
    post: allowed('operator', {
      body: parseSettlement,
      async handle(operator, { req, body: { settlement, note } }) {
        const id = payoutIdOf(req)
        const answer = await manageProposals.settlePayout(operator, id, settlement, note)
        return proposedAnswer(ports, proposalOf(answer, 'PAYOUT_NOT_FOUND'))
      },
    }),
  })
  bind(router, '/operator/v1/payouts/:id/refund', {
    post: allowed('operator', {
      body: parseRefund,
      async handle(operator, { req, body: { amount, note } }) {
        const answer = await manageProposals.refundPayout(operator, payoutIdOf(req), amount, note)
        return proposedAnswer(ports, proposalOf(answer, 'PAYOUT_NOT_FOUND'))
      },
    }),
  })
}

export const payoutIdOf: (req: Request) => string = idInPath('po', 'PAYOUT_NOT_FOUND')

const codes: Readonly<Record<OperateRefusal, HttpErrorCode>> = {
  not_found: 'PAYOUT_NOT_FOUND',
  leased: 'PAYOUT_LEASED',
  already_ended: 'PAYOUT_ALREADY_ENDED',
  cannot_cancel: 'NETWORK_CANNOT_CANCEL',
  network_unproven: 'NETWORK_UNPROVEN',
}

function queriedAnswer(answer: OperatorAnswer): Answer {
  if (answer.type === 'refused') throw new ApiError(codes[answer.code])
  return { status: 200, json: queriedPayoutToJson(answer.payout, answer.calls) }
}
