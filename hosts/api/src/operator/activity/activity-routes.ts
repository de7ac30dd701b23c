import type { Clock } from '@quipu/core'
import type { BacklogStore } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import { backlogToJson, parseNoQuery, parsePayoutActivity, payoutActivityToJson } from '@quipu/wire'
import type { IRouter } from 'express'
import type { Alerting } from '../../ports.ts'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

export type ActivityRoutes = {
  readonly overview: Pick<OverviewStore, 'activity'>
  /** The reading that the metrics share. */
  readonly readBacklog: BacklogStore['read']
  readonly isLiquidityWatched: boolean
  readonly alerting: Alerting | undefined
  readonly now: Clock
}

/** Activity and backlog: read by every role. */
export function activityRoutes(
  router: IRouter,
  { overview, readBacklog, isLiquidityWatched, alerting, now }: ActivityRoutes,
): void {
  const watched = { isLiquidityWatched, hasGateway: alerting?.attempt !== undefined }
  bind(router, '/operator/v1/payout-activity', {
    get: allowed('viewer', {
      query: (search) => parsePayoutActivity(search, now()),
      async handle(_actor, { query }) {
        const json = payoutActivityToJson(await overview.activity(query), query, now())
        return { status: 200, json }
      },
    }),
  })
  bind(router, '/operator/v1/backlog', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => ({ status: 200, json: backlogToJson(await readBacklog(), watched) }),
    }),
  })
}
