import type { QuoteRequest } from '@quipu/core'
import type { QuoteView } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time, uuidText } from '../json/answer.ts'
import { members, wordsOf } from '../json/fields.ts'
import { resolutionIdReference } from '../json/identifier.ts'
import { bobMoney, bobTarget, rateText, readBob, usdtMoney } from '../json/money.ts'
import { mapParsed, parse, type Parsed, type Rule } from '../json/parsed.ts'

/** Also the bytes of events: `quote_json` in `0005-payout-commits.sql`. */
const paidQuoteMembers = {
  id: uuidText,
  source: usdtMoney,
  target: bobMoney,
  rate: rateText.meta({ description: 'BOB per USDT.' }),
  fee: usdtMoney,
  expires_at: time,
}

const quoteDescription =
  '`source` is what the payment debits, `fee` included; `target` is what the destination receives.'

/** A quote as a payout shows it. @source spec §2 Quote */
export const quote = z.object(paidQuoteMembers).meta({ id: 'Quote', description: quoteDescription })
export type QuoteJson = z.output<typeof quote>

/** A quote as `POST /v1/quotes` and `GET /v1/quotes/{id}` answer it. */
export const quoteRecord = z
  .object({
    ...paidQuoteMembers,
    resolution_id: idText('qrr').nullable(),
    status: z.enum(wordsOf<QuoteView['status']>({ open: true, used: true, expired: true })),
    created_at: time,
    exceeds_payment_cap: z
      .boolean()
      .meta({
        description:
          'Whether `target` is above your present `payment_cap`: if so, a payout at this quote ends `cancelled` with `AMOUNT_EXCEEDS_PROVIDER_LIMIT`.',
      }),
  })
  .meta({ id: 'QuoteRecord', description: quoteDescription })
export type QuoteRecordJson = z.output<typeof quoteRecord>

/** The body of `POST /v1/quotes`. Without a resolution the target is required. */
export const quoteRequest = members({
  target: bobTarget.optional(),
  resolution_id: resolutionIdReference.optional(),
}).meta({ id: 'QuoteRequest', minProperties: 1 })

/** Reads the body of `POST /v1/quotes`. */
export function parseQuoteRequest(body: unknown): Parsed<QuoteRequest> {
  return mapParsed(parse(quoteRequest, body, hasAmount), ({ target, resolution_id }) => ({
    target: target === undefined ? null : readBob(target.amount),
    resolutionId: resolution_id ?? null,
  }))
}

const hasAmount: Rule = ({ target, resolution_id }) =>
  target === undefined && resolution_id === undefined ? [{ field: 'target', message: targetRequired }] : []

/** The message of a missing target; also when the resolution leaves the amount open. */
export const targetRequired = 'is required unless resolution_id names a QR that fixes the amount'
