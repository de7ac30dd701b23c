import type { IRouter } from 'express'
import type { QuoteStore } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import {
  foundRecordsToJson,
  operatorEndpointToJson,
  operatorQuoteToJson,
  operatorWalletToJson,
  parseOperatorEndpointList,
  parseOperatorWalletList,
  parseSearch,
} from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { findByUuid } from './find-by-uuid.ts'

export type OverviewRoutes = {
  readonly overview: Pick<OverviewStore, 'wallets' | 'endpoints' | 'find'>
  readonly quotes: Pick<QuoteStore, 'find'>
}

/** What all tenants have, and a search by id. @source assumed */
export function overviewRoutes(router: IRouter, { overview, quotes }: OverviewRoutes): void {
  bind(router, '/operator/v1/wallets', {
    get: allowedPage('viewer', {
      query: parseOperatorWalletList,
      list: (query) => overview.wallets(query),
      toJson: operatorWalletToJson,
    }),
  })

  bind(router, '/operator/v1/webhook-endpoints', {
    get: allowedPage('viewer', {
      query: parseOperatorEndpointList,
      list: (query) => overview.endpoints(query),
      toJson: operatorEndpointToJson,
    }),
  })

  bind(router, '/operator/v1/quotes/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const found = await findByUuid(overview, 'quote', String(req.params['id']))
        const quote = found && (await quotes.find(found.tenantId, found.id))
        if (!quote) throw new ApiError('QUOTE_NOT_FOUND')
        return { status: 200, json: operatorQuoteToJson(quote) }
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
