import type { IRouter } from 'express'
import type { ManageQuoting } from '@quipu/core/operator'
import { parseNoBody, parseNoQuery, parseQuotingPause, quotingReportToJson, quotingToJson } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

export type RateRoutes = { readonly manageQuoting: ManageQuoting }

/** The rate that quotes use: read by every role; operators pause and resume quoting. */
export function rateRoutes(router: IRouter, { manageQuoting }: RateRoutes): void {
  bind(router, '/operator/v1/rates', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => ({ status: 200, json: quotingReportToJson(await manageQuoting.report()) }),
    }),
  })
  bind(router, '/operator/v1/rates/pause', {
    post: allowed('operator', {
      body: parseQuotingPause,
      handle: async (actor, { body: { reason } }) => ({
        status: 200,
        json: quotingToJson(await manageQuoting.pause(actor, reason)),
      }),
    }),
  })
  bind(router, '/operator/v1/rates/resume', {
    post: allowed('operator', {
      body: parseNoBody,
      handle: async (actor) => ({ status: 200, json: quotingToJson(await manageQuoting.resume(actor)) }),
    }),
  })
}
