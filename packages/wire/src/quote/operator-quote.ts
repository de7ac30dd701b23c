import { formatRate, toDecimal } from '@quipu/core'
import type { QuoteView } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { rateText, usdtAmount } from '../json/money.ts'
import { quoteToJson } from './quote-to-json.ts'
import { quote } from './quote.ts'

/** A quote as operators see it. */
export const operatorQuote = z
  .object({
    ...quote.shape,
    resolution_id: idText('qrr').nullable(),
    status: z.enum(wordsOf<QuoteView['status']>({ open: true, used: true, expired: true })),
    payout_id: idText('po').nullable().meta({ description: 'The payout that used it.' }),
    bid: rateText.meta({ description: 'The market rate; `rate` is the bid less the margin.' }),
    rate_source: z.string().meta({ description: 'The source of the bid.', examples: ['fixed'] }),
    principal: usdtAmount.meta({ description: '`target` at `rate`; `source` adds the fee.' }),
    created_at: time,
  })
  .meta({ id: 'OperatorQuote', description: 'A quote with what it was priced from.' })

export const operatorQuoteToJson = ({ quote, status, payoutId }: QuoteView): z.output<typeof operatorQuote> => ({
  ...quoteToJson(quote),
  resolution_id: quote.resolutionId,
  status,
  payout_id: payoutId,
  bid: formatRate(quote.bid),
  rate_source: quote.rateSource,
  principal: toDecimal(quote.principal),
  created_at: instantToJson(quote.createdAt),
})
