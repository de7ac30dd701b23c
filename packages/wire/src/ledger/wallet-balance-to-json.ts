import { addMoney, toDecimal, type Wallet } from '@quipu/core'
import type { WalletBalance } from '@quipu/core/adapter'
import type { WalletBalanceJson } from './wallet-balance.ts'

export const balanceToJson = ({ id, available, held }: Pick<Wallet, 'id' | 'available' | 'held'>) => ({
  id,
  currency: 'USDT' as const,
  available: toDecimal(available),
  held: toDecimal(held),
  total: toDecimal(addMoney(available, held)),
})

export const thresholdToJson = ({ lowBalanceThreshold }: Pick<Wallet, 'lowBalanceThreshold'>): string | null =>
  lowBalanceThreshold && toDecimal(lowBalanceThreshold)

export const walletBalanceToJson = (balance: WalletBalance): WalletBalanceJson => ({
  ...balanceToJson(balance),
  low_balance_threshold: thresholdToJson(balance),
})
