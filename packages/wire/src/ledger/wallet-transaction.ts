import { toDecimal, type WalletTransaction } from '@quipu/core'
import type { WalletTransactionQuery } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { oneOf, queryMembers, wordsOf } from '../json/fields.ts'
import { parseList, periodParameters } from '../list/filtered-list.ts'
import { instantToJson } from '../json/instant.ts'
import { type ListRequest, pageOf } from '../list/list.ts'
import { usdtAmount } from '../json/money.ts'
import type { Parsed } from '../json/parsed.ts'

const directions = wordsOf<WalletTransaction['direction']>({ in: true, out: true })
const types = wordsOf<WalletTransaction['type']>({ deposit: true, payout: true, adjustment: true })

/** A movement of money. @source spec §4: rows with a direction, `in` for deposits; the rest is assumed */
export const walletTransaction = z
  .object({
    id: idText('wtx'),
    direction: z.enum(directions),
    type: z.enum(types),
    currency: z.literal('USDT'),
    amount: usdtAmount,
    balance_after: usdtAmount.meta({ description: 'The wallet’s `total` after this row.' }),
    payout_id: idText('po').nullable(),
    deposit_id: idText('dep').nullable(),
    transaction_id: z.string().nullable().meta({ description: 'The payout’s.' }),
    created_at: time.meta({ description: 'The payout’s `completed_at` or the deposit’s `credited_at`.' }),
  })
  .meta({ id: 'WalletTransaction', description: 'A movement of money. Holds and their releases are not listed.' })
export type WalletTransactionJson = z.output<typeof walletTransaction>

export const walletTransactionToJson = (row: WalletTransaction): WalletTransactionJson => ({
  id: row.id,
  direction: row.direction,
  type: row.type,
  currency: 'USDT',
  amount: toDecimal(row.amount),
  balance_after: toDecimal(row.balanceAfter),
  payout_id: row.payoutId,
  deposit_id: row.depositId,
  transaction_id: row.transactionId,
  created_at: instantToJson(row.createdAt),
})

export const walletTransactionListQuery = queryMembers({
  direction: oneOf(directions).optional(),
  type: oneOf(types).optional(),
  ...periodParameters,
})

export const walletTransactionPage = pageOf(walletTransaction, 'WalletTransactionPage')

/** Reads the query of `GET /v1/wallets/transactions`. */
export const parseWalletTransactionList = (
  tenantId: string,
  search: URLSearchParams | string,
): Parsed<ListRequest<WalletTransactionQuery>> =>
  parseList(walletTransactionListQuery, ['wallet_transactions', tenantId], search)
