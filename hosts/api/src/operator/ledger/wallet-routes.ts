import type { IRouter } from 'express'
import type { TenantStore, WalletStore } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import {
  operatorWalletToJson,
  parseOperatorWalletList,
  parseWalletTransactionList,
  walletTransactionToJson,
} from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowedPage } from '../allowed.ts'
import { tenantIdOf } from '../tenant-id.ts'

export type OperatorWalletRoutes = {
  readonly overview: Pick<OverviewStore, 'wallets'>
  readonly wallets: Pick<WalletStore, 'transactions'>
  readonly tenants: Pick<TenantStore, 'find'>
}

/** The wallets of all tenants, and the movements of money of each. */
export function walletRoutes(router: IRouter, { overview, wallets, tenants }: OperatorWalletRoutes): void {
  bind(router, '/operator/v1/wallets', {
    get: allowedPage('viewer', {
      query: parseOperatorWalletList,
      list: (query) => overview.wallets(query),
      toJson: operatorWalletToJson,
    }),
  })

  bind(router, '/operator/v1/tenants/:id/wallet-transactions', {
    get: allowedPage('viewer', {
      query: (search, req) => parseWalletTransactionList(String(req.params['id']), search),
      async list(query, req) {
        const id = tenantIdOf(req)
        const page = await wallets.transactions(id, query)
        if (page.items.length === 0 && !(await tenants.find(id))) throw new ApiError('TENANT_NOT_FOUND')
        return page
      },
      toJson: walletTransactionToJson,
    }),
  })
}
