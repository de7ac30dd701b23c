import { addMoney, type PageQuery, toDecimal } from '@quipu/core'
import type { WalletOverview } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { queryMembers } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { usdtAmount } from '../json/money.ts'
import type { Parsed } from '../json/parsed.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
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

/** A wallet as operators see it. */
export const operatorWallet = z
  .object({
    id: idText('wal'),
    tenant_id: idText('ten'),
    currency: z.literal('USDT'),
    available: usdtAmount,
    held: usdtAmount.meta({ description: 'Reserved for payouts in `processing`.' }),
    total: usdtAmount.meta({ description: '`available` and `held` together.' }),
    newest_entry_at: time
      .nullable()
      .meta({ description: 'The newest entry of the tenant’s log; null while it has none.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'OperatorWallet' })
export type OperatorWalletJson = z.output<typeof operatorWallet>

export const operatorWalletToJson = (wallet: WalletOverview): OperatorWalletJson =>
  rowToJson(operatorWallet, wallet, { currency: 'USDT', total: toDecimal(addMoney(wallet.available, wallet.held)) })

const operatorWalletPage = pageOf(operatorWallet, 'OperatorWalletPage')

const operatorWalletListQuery = queryMembers({ tenant_id: id('ten').optional(), ...pageParameters })

/** Reads the query of `GET /operator/v1/wallets`. */
export const parseOperatorWalletList = (
  search: URLSearchParams | string,
): Parsed<ListRequest<PageQuery & { readonly tenantId?: string }>> =>
  parseList(operatorWalletListQuery, ['wallets', 'operator'], search)

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
