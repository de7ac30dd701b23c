import type { IRouter } from 'express'
import type { QuoteStore } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorQuoteToJson } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowedRecord } from '../allowed.ts'
import { findByUuid } from '../search/find-by-uuid.ts'

export type QuoteRoutes = { readonly overview: Pick<OverviewStore, 'find'>; readonly quotes: Pick<QuoteStore, 'find'> }

/** A quote of any tenant. */
export function quoteRoutes(router: IRouter, { overview, quotes }: QuoteRoutes): void {
  bind(router, '/operator/v1/quotes/:id', {
    get: allowedRecord(
      'viewer',
      'QUOTE_NOT_FOUND',
      async (req) => {
        const found = await findByUuid(overview, 'quote', String(req.params['id']))
        return found && (await quotes.find(found.tenantId, found.id))
      },
      operatorQuoteToJson,
    ),
  })
}
