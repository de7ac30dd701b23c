import type { IRouter } from 'express'
import type { StopPayouts } from '@quipu/core/operator'
import { parseNoQuery, parsePayoutStop, parseResumption, payoutStopToJson } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'
import { proposedAnswer, type ProposalView } from '../proposal/proposal-routes.ts'

export type PayoutStopRoutes = ProposalView & { readonly stopPayouts: StopPayouts }

/** The stop of payouts: an operator stops them, two start them again. */
export function payoutStopRoutes(router: IRouter, ports: PayoutStopRoutes): void {
  const { stopPayouts } = ports
  bind(router, '/operator/v1/payouts/stop', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => ({ status: 200, json: payoutStopToJson(await stopPayouts.current()) }),
    }),
    post: allowed('operator', {
      body: parsePayoutStop,
      handle: async (actor, { body: { reason } }) => ({
        status: 200,
        json: payoutStopToJson(await stopPayouts.begin(actor, reason)),
      }),
    }),
  })
  bind(router, '/operator/v1/payouts/start', {
    post: allowed('operator', {
      body: parseResumption,
      async handle(actor, { body }) {
        const proposal = await stopPayouts.proposeEnd(actor, body)
        if (!proposal) throw new ApiError('PAYOUTS_NOT_STOPPED')
        return proposedAnswer(ports, proposal)
      },
    }),
  })
}
