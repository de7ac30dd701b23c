import type { Resolution } from '@quipu/core'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { bobMoney } from '../json/money.ts'
import { moneyToJson } from '../json/money-to-json.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { merchantToJson } from './merchant-to-json.ts'
import { amountMode, merchant, qrContent } from './qr.ts'

export const resolveRequest = members({ content: qrContent }).meta({ id: 'ResolveRequest' })

/** Reads the body of `POST /v1/payouts/qr/resolve`. */
export const parseResolveRequest = (body: unknown): Parsed<{ readonly content: string }> =>
  mapParsed(parse(resolveRequest, body), ({ content }) => ({ content }))

/** The content of a QR as the network read it. @source spec §4: `resolution_id`; the rest is assumed */
export const resolution = z
  .object({
    resolution_id: idText('qrr'),
    amount_mode: amountMode,
    amount: bobMoney.nullable().meta({ description: 'Null when the payer chooses the amount.' }),
    merchant,
    description: z.string().nullable(),
    expires_at: time.nullable(),
    created_at: time,
  })
  .meta({ id: 'Resolution' })
export type ResolutionJson = z.output<typeof resolution>

export const resolutionToJson = (resolution: Resolution): ResolutionJson => ({
  resolution_id: resolution.id,
  amount_mode: resolution.amountMode,
  amount: resolution.amount && moneyToJson(resolution.amount),
  merchant: merchantToJson(resolution.merchant),
  description: resolution.description,
  expires_at: resolution.expiresAt && instantToJson(resolution.expiresAt),
  created_at: instantToJson(resolution.createdAt),
})
