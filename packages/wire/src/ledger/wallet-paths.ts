import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { parseNoQuery } from '../json/empty.ts'
import { pageToJson } from '../list/list.ts'
import { reconciliation, reconciliationToJson } from './reconciliation.ts'
import { wallet, walletToJson } from './wallet.ts'
import {
  parseWalletTransactionList,
  walletTransactionListQuery,
  walletTransactionPage,
  walletTransactionToJson,
} from './wallet-transaction.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'

const tag = 'Wallet'

const get = operation({
  id: 'getWallet',
  tag,
  summary: 'Read the wallet',
  description:
    'The USDT balance that payouts are paid from, the addresses that fund it, and the limits of both. The first read creates the address.',
  access: { scope: 'wallet:read' },
  answers: {
    200: {
      description: 'The wallet.',
      schema: wallet,
      examples: {
        wallet: walletToJson(
          example.wallet,
          [funding.shownTopUp],
          example.tenant.pricing.paymentCap,
        ),
      },
    },
  },
  refused: parseNoQuery('currency=USDT'),
})

const transactions = operation({
  id: 'listWalletTransactions',
  tag,
  summary: 'List what came in and went out, newest first',
  description:
    'Each row’s `balance_after` is the next older row’s, plus its own `amount` with direction `in` or minus it with `out`.',
  access: { scope: 'wallet:read' },
  query: walletTransactionListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: walletTransactionPage,
      examples: {
        last: pageToJson(
          { items: [funding.paidRow, funding.creditedRow], next: null },
          walletTransactionToJson,
          cursorScope('wallet_transactions', ''),
        ),
      },
    },
  },
  refused: parseWalletTransactionList(example.tenant.id, 'direction=both&limit=500'),
})

const reconcile = operation({
  id: 'reconcileWallet',
  tag,
  summary: 'Set the balance against every movement of money',
  access: { scope: 'wallet:read' },
  answers: {
    200: {
      description: 'The books of this moment.',
      schema: reconciliation,
      examples: { balanced: reconciliationToJson(funding.books) },
    },
  },
  refused: parseNoQuery('currency=USDT'),
})

export const walletPaths: ZodOpenApiPathsObject = {
  '/v1/wallets': { get },
  '/v1/wallets/transactions': { get: transactions },
  '/v1/wallets/reconciliation': { get: reconcile },
}
