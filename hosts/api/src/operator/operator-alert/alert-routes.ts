import type { Clock, Ids } from '@quipu/core'
import type { BacklogStore } from '@quipu/core/adapter'
import { dayAt, type OperatorAlertStore, type RestoreStore } from '@quipu/core/operator'
import {
  alertsToJson,
  digestToJson,
  gatewayAnswerToJson,
  parseDigestQuery,
  parseNoBody,
  parseNoQuery,
} from '@quipu/wire'
import type { IRouter } from 'express'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import type { Alerting } from '../../ports.ts'
import { allowed } from '../allowed.ts'

export type AlertRoutes = {
  readonly alerting: Alerting | undefined
  readonly operatorAlerts: Pick<OperatorAlertStore, 'list'>
  readonly readBacklog: BacklogStore['read']
  readonly restores: Pick<RestoreStore, 'gate'>
  readonly isLiquidityWatched: boolean
  readonly environment: 'sandbox' | 'production'
  readonly ids: Ids
  readonly now: Clock
}

/** The gateway of alerts: operators test it, every role reads its alerts and the digest. */
export function alertRoutes(
  router: IRouter,
  { alerting, operatorAlerts, readBacklog, restores, isLiquidityWatched, environment, ids, now }: AlertRoutes,
): void {
  bind(router, '/operator/v1/alerts', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => ({ status: 200, json: alertsToJson(await operatorAlerts.list()) }),
    }),
  })
  bind(router, '/operator/v1/alerts/test', {
    post: allowed('operator', {
      body: parseNoBody,
      async handle() {
        if (alerting?.attempt === undefined) throw new ApiError('ALERT_GATEWAY_NOT_SET')
        const id = ids.next('alt', now())
        const text = `${environment}, test: alerts of Quipu reach this gateway`
        const answer = await alerting.attempt(id, { type: 'test', id, environment, text })
        return { status: 200, json: gatewayAnswerToJson(answer) }
      },
    }),
  })
  bind(router, '/operator/v1/alerts/digest', {
    get: allowed('viewer', {
      query: parseDigestQuery,
      async handle(_actor, { query: language }) {
        const source = {
          backlog: await readBacklog(),
          isHalted: (await restores.gate()).halt !== null,
          isLiquidityWatched,
        }
        const cell = ids.cell ?? null
        return { status: 200, json: digestToJson(dayAt(now(), 'UTC'), language, source, { environment, cell }) }
      },
    }),
  })
}
