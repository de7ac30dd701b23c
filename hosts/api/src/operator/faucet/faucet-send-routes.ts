import type { IRouter } from 'express'
import type { FaucetStore } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorFaucetSendToJson, parseOperatorFaucetSendList } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { findByUuid } from '../search/find-by-uuid.ts'

export type FaucetSendRoutes = {
  readonly overview: Pick<OverviewStore, 'faucetSends' | 'find'>
  readonly faucet: Pick<FaucetStore, 'get'>
}

/** The faucet sends of all tenants. */
export function faucetSendRoutes(router: IRouter, { overview, faucet }: FaucetSendRoutes): void {
  bind(router, '/operator/v1/faucet-sends', {
    get: allowedPage('viewer', {
      query: parseOperatorFaucetSendList,
      list: (query) => overview.faucetSends(query),
      toJson: operatorFaucetSendToJson,
    }),
  })

  bind(router, '/operator/v1/faucet-sends/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const found = await findByUuid(overview, 'faucet_send', String(req.params['id']))
        const send = found && (await faucet.get(found.tenantId, found.id))
        if (!send) throw new ApiError('NOT_FOUND')
        return { status: 200, json: operatorFaucetSendToJson(send) }
      },
    }),
  })
}
