import type { IRouter } from 'express'
import type { QuoteStore } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorQuoteToJson } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'
import { findByUuid } from '../search/find-by-uuid.ts'

export type QuoteRoutes = { readonly overview: Pick<OverviewStore, 'find'>; readonly quotes: Pick<QuoteStore, 'find'> }

/** A quote of any tenant. */
export function quoteRoutes(router: IRouter, { overview, quotes }: QuoteRoutes): void {
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
}
