import type { PayoutRequest } from '@quipu/core'
import { z } from 'zod'
import { wordList, matching, members, oneOf, ruleMessage, text, uuid } from '../json/fields.ts'
import { fingerprint } from '../json/fingerprint.ts'
import { transactionId } from '../json/identifier.ts'
import { mapParsed, type Parsed, parseVariant } from '../json/parsed.ts'
import { qrContent } from '../quote/qr.ts'

/** @source spec §4: payout types */
export const payoutTypes = ['qr', 'bank_transfer'] as const

/** @source spec §4: `branch_city` */
export const branchCities = ['CBB', 'COB', 'LPZ', 'ORU', 'POT', 'SCZ', 'SUC', 'TJA', 'TRI'] as const

const digits = (min: number, max: number): z.ZodString =>
  matching(new RegExp(`^[0-9]{${min},${max}}$`), `must be a string of ${min} to ${max} digits`).meta({
    minLength: min,
    maxLength: max,
  })

const qr = members({ content: qrContent })

const bankTransfer = members({
  bank_code: digits(1, 10),
  account_number: digits(6, 30),
  branch_city: oneOf(branchCities),
  holder_name: text(3, 80),
  identification_number: matching(/^[A-Za-z0-9-]{5,20}$/, 'must be 5 to 20 characters from A-Z a-z 0-9 -').meta({
    minLength: 5,
    maxLength: 20,
  }),
})

const quoteId = uuid.meta({
  description: 'The firm quote that the end user accepted.',
  examples: ['0199a3f4-5c00-7000-8000-000000000001'],
})

const metadataName = 'must be named with 1 to 40 characters from A-Z a-z 0-9 . _ : -, the first a letter or digit'

/** The most texts of a payout, and the most bytes of them as JSON. */
export const metadataMax = { texts: 20, bytes: 4_096 } as const
const { texts: textsMax, bytes: bytesMax } = metadataMax

/** The tenant's texts of a payout: few enough that a payout's event stays small. */
export const metadata = z
  .record(matching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/, metadataName), text(0, 500), {
    error: (issue) =>
      issue.code === 'invalid_key' ? metadataName : ruleMessage('must be a JSON object of strings')(issue),
  })
  .refine((given) => Object.keys(given).length <= textsMax, `must have at most ${textsMax} members`)
  .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= bytesMax, `must be at most ${bytesMax} bytes of JSON`)
  .meta({ maxProperties: textsMax, 'x-max-json-bytes': bytesMax })

/** Characters of a payout's description. */
export const descriptionMax = 200

/** Members that every payout may have. */
const optional = {
  description: text(0, descriptionMax)
    .meta({
      description: 'Sent with the payment when the QR has none of its own. The network may cut it.',
      examples: ['Order 123'],
    })
    .optional(),
  metadata: metadata
    .meta({
      description: `Your own texts, shown with the payout. At most ${bytesMax.toLocaleString('en')} bytes of JSON.`,
      examples: [{ order: '123' }],
    })
    .optional(),
}

const qrPayout = members(
  { transaction_id: transactionId, type: z.literal('qr'), quote_id: quoteId, qr, ...optional },
  'with type qr',
).meta({ id: 'QrPayoutRequest', description: 'A payout to the merchant of a QR.' })

const bankTransferPayout = members(
  {
    transaction_id: transactionId,
    type: z.literal('bank_transfer'),
    quote_id: quoteId,
    bank_transfer: bankTransfer,
    ...optional,
  },
  'with type bank_transfer',
).meta({ id: 'BankTransferPayoutRequest', description: 'A payout to a bank account. Not available yet: a 422.' })

const untypedPayout = members({
  transaction_id: transactionId,
  type: z.never({ error: ruleMessage(`must be ${wordList(payoutTypes)}`) }),
  quote_id: quoteId,
  qr: qr.optional(),
  bank_transfer: bankTransfer.optional(),
  ...optional,
})

/** The body of `POST /v1/payouts`. @source spec §4 */
export const payoutRequest = z.discriminatedUnion('type', [qrPayout, bankTransferPayout]).meta({ id: 'PayoutRequest' })

/** A valid body, without the members of a `bank_transfer`: no bank transfer is attempted. */
export type TypedPayoutRequest = ({ readonly type: 'qr' } & PayoutRequest) | { readonly type: 'bank_transfer' }

const variants = { qr: qrPayout, bank_transfer: bankTransferPayout }

/** Reads the body of `POST /v1/payouts`. @source spec §4 Rules 1, 2 and 7 */
export const parsePayoutRequest = (body: unknown): Parsed<TypedPayoutRequest> =>
  mapParsed(parseVariant('type', variants, untypedPayout, body), (request) =>
    request.type === 'qr'
      ? {
          type: 'qr',
          transactionId: request.transaction_id,
          quoteId: request.quote_id.toLowerCase(),
          content: request.qr.content,
          // The network refuses an empty description.
          description: request.description || null,
          ...(request.metadata && Object.keys(request.metadata).length > 0 && { metadata: request.metadata }),
          fingerprint: fingerprint(body),
        }
      : { type: 'bank_transfer' },
  )
