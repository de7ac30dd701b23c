import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { id } from '../json/identifier.ts'
import { cursorScope } from '../list/cursor.ts'
import { pageToJson } from '../list/list.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import {
  parseWalletTransactionList,
  walletTransactionListQuery,
  walletTransactionPage,
  walletTransactionToJson,
} from './wallet-transaction.ts'
import {
  operatorWalletListQuery,
  operatorWalletPage,
  operatorWalletToJson,
  parseOperatorWalletList,
} from './operator-wallet.ts'

const wallets = operation({
  id: 'listWallets',
  tag: 'Wallets',
  summary: 'List the wallets of all tenants, newest first',
  access: 'operator',
  query: operatorWalletListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: operatorWalletPage,
      examples: {
        last: pageToJson(
          { items: [{ ...example.wallet, newestEntryAt: example.at(1) }], next: null },
          operatorWalletToJson,
          cursorScope('wallets', 'operator'),
        ),
      },
    },
  },
  refused: parseOperatorWalletList('limit=0'),
})

const transactions = operation({
  id: 'listWalletTransactions',
  tag: 'Wallets',
  summary: 'List the movements of money of a tenant, newest first',
  access: 'operator',
  path: z.object({ id: id('ten') }),
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
  errors: ['TENANT_NOT_FOUND'],
})

export const operatorWalletPaths: ZodOpenApiPathsObject = {
  '/operator/v1/wallets': { get: wallets },
  '/operator/v1/tenants/{id}/wallet-transactions': { get: transactions },
}
