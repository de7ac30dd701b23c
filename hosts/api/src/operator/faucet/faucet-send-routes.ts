import type { IRouter } from 'express'
import type { FaucetStore } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorFaucetSendToJson, parseOperatorFaucetSendList } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowedPage, allowedRecord } from '../allowed.ts'
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
    get: allowedRecord(
      'viewer',
      'NOT_FOUND',
      async (req) => {
        const found = await findByUuid(overview, 'faucet_send', String(req.params['id']))
        return found && (await faucet.get(found.tenantId, found.id))
      },
      operatorFaucetSendToJson,
    ),
  })
}
