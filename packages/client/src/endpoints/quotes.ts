import type { QuoteRecord, QuoteRequest } from '../openapi/openapi.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** Firm prices. */
export type Quotes = {
  /** Prices a target amount, or that of a resolution. Firm until `expires_at`. */
  create(request: QuoteRequest, options?: CallOptions): Promise<QuoteRecord>
  get(id: string, options?: CallOptions): Promise<QuoteRecord>
}

export const quotes = (send: Send): Quotes => ({
  create: (body, options) => send('createQuote', { body }, options),
  get: (id, options) => send('getQuote', { params: { id } }, options),
})
