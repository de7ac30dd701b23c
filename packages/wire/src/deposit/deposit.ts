import type { Deposit, ReviewCode } from '@quipu/core'
import { type DepositQuery, reviewCodes } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { addressText, txHashText } from '../json/chain.ts'
import { oneOf, queryMembers, wordsOf } from '../json/fields.ts'
import { parseList, periodParameters } from '../list/filtered-list.ts'
import { type ListRequest, pageOf } from '../list/list.ts'
import { usdtAmount } from '../json/money.ts'
import type { Parsed } from '../json/parsed.ts'

/** @source spec §2 Deposit */
const depositStatuses: readonly Deposit['status'][] = wordsOf<Deposit['status']>({
  pending: true,
  credited: true,
  in_review: true,
})

/** The members that tenants and operators see. */
export const depositMembers = {
  id: idText('dep'),
  chain: z.literal('tron'),
  tx_hash: txHashText,
  transfer_index: z
    .int()
    .min(0)
    .meta({ description: 'The place of the transfer among the logs of its transaction, from 0.' }),
  address: addressText.meta({ description: 'Your top-up address.' }),
  from_address: addressText.meta({ description: 'The sender’s address.' }),
  currency: z.literal('USDT'),
  amount: usdtAmount,
  status: z.enum(depositStatuses),
  review_code: z
    .union([z.enum(reviewCodes), z.string()])
    .nullable()
    .meta({ description: 'Why it could not be credited automatically, while `in_review`. Codes may be added.' }),
  created_at: time,
  credited_at: time.nullable().meta({ description: 'Null until it is credited.' }),
}

/** A deposit as every answer and event shows it. @source spec §2 Deposit */
export const deposit = z
  .object({
    ...depositMembers,
    closed_at: time
      .nullable()
      .meta({
        description: 'When the review was closed without a credit; the deposit stays `in_review`. Null until then.',
      }),
    close_reason: z
      .string()
      .nullable()
      .meta({
        description: 'The reason of the closing; `DUST` when the amount is too small for a review. Null until then.',
        examples: ['Returned to the sender.'],
      }),
  })
  .meta({
    id: 'Deposit',
    description: 'A transfer to a top-up address. `chain`, `tx_hash` and `transfer_index` identify it.',
  })
/** A review code that this release has. */
export type ReviewCodeJson = ReviewCode
export type DepositJson = z.output<typeof deposit>

export const depositFilters = { status: oneOf(depositStatuses).optional(), ...periodParameters }

export const depositListQuery = queryMembers(depositFilters)

export const depositPage = pageOf(deposit, 'DepositPage')

/** Reads the query of `GET /v1/deposits`. */
export const parseDepositList = (
  tenantId: string,
  search: URLSearchParams | string,
): Parsed<ListRequest<DepositQuery>> => parseList(depositListQuery, ['deposits', tenantId], search)
