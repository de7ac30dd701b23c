import type { IRouter } from 'express'
import type { WalletStore } from '@quipu/core'
import { walletToJson } from '@quipu/wire'
import { bind } from '../http/routing.ts'
import { scoped } from './scoped.ts'

/** @source spec §4 GET /wallets: its answer is not shown there and assumed here */
export function walletRoutes(router: IRouter, wallets: Pick<WalletStore, 'find'>): void {
  bind(router, '/v1/wallets', {
    get: scoped('wallet:read', {
      async handle({ tenant }) {
        const wallet = await wallets.find(tenant.id)
        if (!wallet) throw new Error(`tenant ${tenant.id} has no wallet`)
        return { status: 200, json: walletToJson(wallet, []) }
      },
    }),
  })
}
