import type { IRouter } from 'express'
import type { CreateQuote } from '@quipu/core'
import type { QuoteStore } from '@quipu/core/adapter'
import { parseQuoteRequest, parseUuid, quoteViewToJson, targetRequired } from '@quipu/wire'
import { ApiError, invalid } from '../http/api-error.ts'
import { bind } from '../http/routing.ts'
import { scoped } from './scoped.ts'

export type QuoteRoutes = { readonly createQuote: CreateQuote; readonly quotes: Pick<QuoteStore, 'find'> }

/** @source spec §1: a firm quote comes before the payment; the endpoints are assumed */
export function quoteRoutes(router: IRouter, { createQuote, quotes }: QuoteRoutes): void {
  bind(router, '/v1/quotes', {
    post: scoped('payouts:write', {
      body: parseQuoteRequest,
      commitChecksKey: true,
      async handle({ tenant, key }, { body }) {
        const answer = await createQuote(tenant, { ...body, keyId: key.id })
        if (answer.type === 'quote') {
          const view = { quote: answer.quote, status: 'open', payoutId: null } as const
          return { status: 201, json: quoteViewToJson(view, tenant.pricing.paymentCap) }
        }
        switch (answer.code) {
          case 'RESOLUTION_NOT_FOUND':
          case 'AUTHENTICATION_FAILED':
            throw new ApiError(answer.code)
          case 'TARGET_REQUIRED':
            throw invalid([{ field: 'target', message: targetRequired }])
          case 'TARGET_TOO_LARGE':
            throw invalid([{ field: 'target.amount', message: 'is too large to be priced' }])
        }
      },
    }),
  })
  bind(router, '/v1/quotes/:id', {
    get: scoped('payouts:read', {
      async handle({ tenant }, { req }) {
        const id = parseUuid(String(req.params['id']))
        const view = id === undefined ? undefined : await quotes.find(tenant.id, id)
        if (!view) throw new ApiError('QUOTE_NOT_FOUND')
        return { status: 200, json: quoteViewToJson(view, tenant.pricing.paymentCap) }
      },
    }),
  })
}
