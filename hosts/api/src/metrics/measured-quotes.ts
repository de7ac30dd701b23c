import { type CreateQuote, type QuoteAnswer, Unavailable } from '@quipu/core'
import type { Metrics } from '@quipu/runtime'

/** Every code, so that a new one is counted from 0 on. */
const refusals: Readonly<Record<Extract<QuoteAnswer, { type: 'refused' }>['code'], true>> = {
  RESOLUTION_NOT_FOUND: true,
  TARGET_REQUIRED: true,
  TARGET_TOO_LARGE: true,
  AUTHENTICATION_FAILED: true,
}
const results = ['quoted', ...Object.keys(refusals), 'RATE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']

/** Counts quotes, and refusals by code. */
export function measuredQuotes(metrics: Metrics, create: CreateQuote): CreateQuote {
  const count = metrics.counter({
    name: 'quipu_quotes_total',
    help: 'Requests for a quote, by result: `quoted`, or the code of the refusal.',
    labels: ['result'],
    known: results.map((result) => ({ result })),
  })
  return async (...request) => {
    try {
      const answer = await create(...request)
      count({ result: answer.type === 'quote' ? 'quoted' : answer.code })
      return answer
    } catch (error) {
      if (error instanceof Unavailable)
        count({ result: error.dependency === 'rate_source' ? 'RATE_UNAVAILABLE' : 'SERVICE_UNAVAILABLE' })
      throw error
    }
  }
}
