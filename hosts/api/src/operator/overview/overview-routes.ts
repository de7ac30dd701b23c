import type { IRouter } from 'express'
import type { OverviewStore } from '@quipu/core/operator'
import {
  foundRecordsToJson,
  operatorEndpointToJson,
  operatorWalletToJson,
  pageToJson,
  parseOperatorEndpointList,
  parseOperatorWalletList,
  parseSearch,
} from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

/** What all tenants have, and a search by id. @source assumed */
export function overviewRoutes(
  router: IRouter,
  overview: Pick<OverviewStore, 'wallets' | 'endpoints' | 'find'>,
): void {
  bind(router, '/operator/v1/wallets', {
    get: allowed('viewer', {
      query: parseOperatorWalletList,
      async handle(_actor, { query: { query, scope } }) {
        const page = await overview.wallets(query)
        return { status: 200, json: pageToJson(page, operatorWalletToJson, scope) }
      },
    }),
  })

  bind(router, '/operator/v1/webhook-endpoints', {
    get: allowed('viewer', {
      query: parseOperatorEndpointList,
      async handle(_actor, { query: { query, scope } }) {
        const page = await overview.endpoints(query)
        return { status: 200, json: pageToJson(page, operatorEndpointToJson, scope) }
      },
    }),
  })

  bind(router, '/operator/v1/search', {
    get: allowed('viewer', {
      query: parseSearch,
      async handle(_actor, { query }) {
        return { status: 200, json: foundRecordsToJson(await overview.find(query)) }
      },
    }),
  })
}
