import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { uuidText } from '../json/answer.ts'
import { parseNoQuery } from '../json/empty.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { operatorQuote, operatorQuoteToJson } from './operator-quote.ts'

const quote = operation({
  id: 'getQuote',
  tag: 'Quotes',
  summary: 'Read a quote of any tenant, and how it was priced',
  access: 'operator',
  path: z.object({ id: uuidText.meta({ examples: [example.quote.id] }) }),
  answers: ok('The quote.', operatorQuote, {
    used: operatorQuoteToJson({ quote: example.quote, status: 'used', payoutId: example.completed.id }),
  }),
  refused: parseNoQuery('expand=payout'),
  errors: ['QUOTE_NOT_FOUND'],
})

export const operatorQuotePaths: ZodOpenApiPathsObject = { '/operator/v1/quotes/{id}': { get: quote } }
