import { type Bob, compareMoney, formatRate, type Quote } from '@quipu/core'
import type { QuoteView } from '@quipu/core/adapter'
import { instantToJson } from '../json/instant.ts'
import { moneyToJson } from '../json/money-to-json.ts'
import type { QuoteJson, QuoteRecordJson } from './quote.ts'

export const quoteToJson = ({ id, source, target, rate, fee, expiresAt }: Quote): QuoteJson => ({
  id,
  source: moneyToJson(source),
  target: moneyToJson(target),
  rate: formatRate(rate),
  fee: moneyToJson(fee),
  expires_at: instantToJson(expiresAt),
})

/** @param paymentCap  the tenant's present cap */
export const quoteViewToJson = (
  { quote, status }: Pick<QuoteView, 'quote' | 'status'>,
  paymentCap: Bob,
): QuoteRecordJson => ({
  ...quoteToJson(quote),
  resolution_id: quote.resolutionId,
  status,
  created_at: instantToJson(quote.createdAt),
  exceeds_payment_cap: compareMoney(quote.target, paymentCap) > 0,
})
