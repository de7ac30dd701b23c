import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import { type OverviewStore, readPayoutHistory, type ReadPayoutHistoryPorts } from '@quipu/core/operator'
import { isId, operatorPayoutToJson, parseOperatorPayoutList, payoutHistoryToJson } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'

export type PayoutRoutes = ReadPayoutHistoryPorts & {
  readonly overview: Pick<OverviewStore, 'payouts'>
  readonly now: Clock
}

/** The payouts of all tenants. */
export function payoutRoutes(router: IRouter, ports: PayoutRoutes): void {
  const { overview, now } = ports
  const readHistory = readPayoutHistory(ports)

  bind(router, '/operator/v1/payouts', {
    get: allowedPage('viewer', {
      query: (search) => parseOperatorPayoutList(search, now()),
      list: (query) => overview.payouts(query),
      toJson: operatorPayoutToJson,
    }),
  })

  bind(router, '/operator/v1/payouts/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const id = String(req.params['id'])
        const history = isId('po', id) ? await readHistory(id) : undefined
        if (!history) throw new ApiError('PAYOUT_NOT_FOUND')
        return { status: 200, json: payoutHistoryToJson(history, now()) }
      },
    }),
  })
}
