import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { reconciliation, reconciliationToJson } from './reconciliation.ts'
import { parseWalletQuery, wallet, walletQuery, walletToJson } from './wallet.ts'
import {
  parseWalletTransactionList,
  walletTransactionListQuery,
  walletTransactionPage,
  walletTransactionToJson,
} from './wallet-transaction.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'

const tag = 'Wallet'

const get = operation({
  id: 'getWallet',
  tag,
  summary: 'Read the wallet',
  description:
    'The USDT balance that payouts are paid from, the top-up addresses that fund it, and the limits of both. The first read creates the address. With `at` also the balance at an instant since the wallet exists, from its log; a payout that is being settled may be dated up to ten minutes before its commit, so a recent one is `open`.',
  access: { scope: 'wallet:read' },
  query: walletQuery,
  answers: ok('The wallet.', wallet, { wallet: walletToJson(example.wallet, [funding.shownTopUp], example.tenant) }),
  refused: parseWalletQuery('at=yesterday'),
})

const transactions = operation({
  id: 'listWalletTransactions',
  tag,
  summary: 'List movements of money, newest first',
  description:
    '`balance_after` of a row is that of the next older row, plus `amount` with direction `in` or minus `amount` with direction `out`.',
  access: { scope: 'wallet:read' },
  query: walletTransactionListQuery,
  answers: lastPage(walletTransactionPage, [funding.paidRow, funding.creditedRow], walletTransactionToJson),
  refused: parseWalletTransactionList(example.tenant.id, 'direction=both&limit=500'),
})

const reconcile = operation({
  id: 'reconcileWallet',
  tag,
  summary: 'Reconcile the wallet',
  description: 'Compares the wallet’s balance with the sums of its movements and open holds.',
  access: { scope: 'wallet:read' },
  answers: ok('The sums at this moment.', reconciliation, { balanced: reconciliationToJson(funding.reconciliation) }),
  refused: parseNoQuery('currency=USDT'),
})

export const walletPaths: ZodOpenApiPathsObject = {
  '/v1/wallets': { get },
  '/v1/wallets/transactions': { get: transactions },
  '/v1/wallets/reconciliation': { get: reconcile },
}
