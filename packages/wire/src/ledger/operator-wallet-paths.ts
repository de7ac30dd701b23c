import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage } from '../openapi/answers.ts'
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
  answers: lastPage(operatorWalletPage, [{ ...example.wallet, newestEntryAt: example.at(1) }], operatorWalletToJson),
  refused: parseOperatorWalletList('limit=0'),
})

const transactions = operation({
  id: 'listWalletTransactions',
  tag: 'Wallets',
  summary: 'List the movements of money of a tenant, newest first',
  access: 'operator',
  path: z.object({ id: id('ten') }),
  query: walletTransactionListQuery,
  answers: lastPage(walletTransactionPage, [funding.paidRow, funding.creditedRow], walletTransactionToJson),
  refused: parseWalletTransactionList(example.tenant.id, 'direction=both&limit=500'),
  errors: ['TENANT_NOT_FOUND'],
})

export const operatorWalletPaths: ZodOpenApiPathsObject = {
  '/operator/v1/wallets': { get: wallets },
  '/operator/v1/tenants/{id}/wallet-transactions': { get: transactions },
}
