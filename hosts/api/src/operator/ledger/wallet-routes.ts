import type { IRouter } from 'express'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorWalletToJson, parseOperatorWalletList } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowedPage } from '../allowed.ts'

/** The wallets of all tenants. */
export function walletRoutes(
  router: IRouter,
  { overview }: { readonly overview: Pick<OverviewStore, 'wallets'> },
): void {
  bind(router, '/operator/v1/wallets', {
    get: allowedPage('viewer', {
      query: parseOperatorWalletList,
      list: (query) => overview.wallets(query),
      toJson: operatorWalletToJson,
    }),
  })
}
