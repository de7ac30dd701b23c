import type { CreditedDeposit, DepositStep, PendingDeposit } from './deposit.ts'
import type { CreditableReview } from './resolve-review.ts'

/** The amount enters the wallet, whole and once. @source spec §3 Deposit statuses */
export function creditDeposit(
  deposit: PendingDeposit | CreditableReview,
  at: Date,
): DepositStep<CreditedDeposit> {
  const { id, tenantId, chain, txHash, transferIndex, address, fromAddress, amount } = deposit
  const seen = { id, tenantId, chain, txHash, transferIndex, address, fromAddress, amount }
  return {
    deposit: { ...seen, createdAt: deposit.createdAt, status: 'credited', creditedAt: at },
    effects: [
      { type: 'transfer', transfer: { type: 'deposit', amount } },
      { type: 'publish', event: 'deposit.credited' },
    ],
  }
}
