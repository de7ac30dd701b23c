import type { IRouter } from 'express'
import type { EnsureTopUpAddress, Reconcile, Tenant, Usdt, Wallet } from '@quipu/core'
import type { WalletStore } from '@quipu/core/adapter'
import type { PastBalance, ReadStatements, SetLowBalanceThreshold } from '@quipu/core/operator'
import {
  instantToJson,
  pageToJson,
  parseWalletPatch,
  parseWalletQuery,
  parseWalletTransactionList,
  reconciliationToJson,
  type WalletJson,
  walletToJson,
  walletTransactionToJson,
} from '@quipu/wire'
import { invalid } from '../http/api-error.ts'
import { bind } from '../http/routing.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'

export type WalletRoutes = {
  readonly wallets: Pick<WalletStore, 'find' | 'transactions'>
  /** Undefined where no chain is watched: a wallet then has no top-up address. */
  readonly ensureTopUpAddress: EnsureTopUpAddress | undefined
  readonly setLowBalanceThreshold: SetLowBalanceThreshold
  readonly reconcile: Reconcile
  readonly statements: Pick<ReadStatements, 'balanceAt'>
}

/** The deposits that are credited without a review; both bounds inclusive. */
export type AmountRange = { readonly minimumAmount: Usdt; readonly maximumAmount: Usdt }

/** @source spec §4 GET /wallets, GET /wallets/transactions: their answers are assumed */
export function walletRoutes(router: IRouter, ports: WalletRoutes, automaticCredits: AmountRange): void {
  const { wallets, ensureTopUpAddress, setLowBalanceThreshold, reconcile, statements } = ports

  async function show(tenant: Tenant, at?: Date): Promise<WalletJson> {
    const [found, past, topUp] = await Promise.all([
      wallets.find(tenant.id),
      at && statements.balanceAt(tenant.id, at),
      ensureTopUpAddress?.(tenant.id),
    ])
    const wallet = required(found, tenant.id)
    const topUps = topUp ? [{ ...topUp, ...automaticCredits }] : []
    return walletToJson(wallet, topUps, tenant, past && knownBalance(past, wallet))
  }

  bind(router, '/v1/wallets', {
    get: scoped('wallet:read', {
      query: parseWalletQuery,
      handle: async ({ tenant }, { query: { at } }) => ({ status: 200, json: await show(tenant, at) }),
    }),
    patch: scoped('wallet:write', {
      body: parseWalletPatch,
      async handle({ tenant }, { body: { lowBalanceThreshold } }) {
        await setLowBalanceThreshold(tenant.id, lowBalanceThreshold)
        return { status: 200, json: await show(tenant) }
      },
    }),
  })

  bind(router, '/v1/wallets/transactions', {
    get: scoped('wallet:read', {
      query: (search, res) => parseWalletTransactionList(callerOf(res).tenant.id, search),
      async handle({ tenant }, { query: { query, scope } }) {
        const page = await wallets.transactions(tenant.id, query)
        return { status: 200, json: pageToJson(page, walletTransactionToJson, scope) }
      },
    }),
  })

  bind(router, '/v1/wallets/reconciliation', {
    get: scoped('wallet:read', {
      async handle({ tenant }) {
        const books = await reconcile(tenant.id)
        return { status: 200, json: reconciliationToJson(required(books, tenant.id)) }
      },
    }),
  })
}

/** @throws ApiError 400 for an instant that the log has no balance of */
function knownBalance(past: PastBalance | 'future' | 'before_wallet', { createdAt }: Wallet): PastBalance {
  if (typeof past === 'object') return past
  const message =
    past === 'future'
      ? 'must not be in the future'
      : `must not be before the wallet was created, ${instantToJson(createdAt)}`
  throw invalid([{ field: 'at', message }])
}

function required<T>(found: T | undefined, tenantId: string): T {
  if (found === undefined) throw new Error(`tenant ${tenantId} has no wallet`)
  return found
}
