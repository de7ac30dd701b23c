import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import { type OverviewStore, readPayoutHistory, type ReadPayoutHistoryPorts } from '@quipu/core/operator'
import { operatorPayoutToJson, parseOperatorPayoutList, payoutHistoryToJson } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowedPage, allowedRecord } from '../allowed.ts'
import { payoutIdOf } from './payout-decision-routes.ts'

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
    get: allowedRecord(
      'viewer',
      'PAYOUT_NOT_FOUND',
      (req) => readHistory(payoutIdOf(req)),
      (history) => payoutHistoryToJson(history, now()),
    ),
  })
}
