import { notBefore } from '../time.ts'
import type { Redated } from '../event/redate-event.ts'
import type { CreditedDeposit, Deposit, DepositStep, PendingDeposit } from './deposit.ts'
import type { CreditableReview } from './resolve-review.ts'

/** Credits the deposit's whole amount to the wallet. @source spec §3 Deposit statuses */
export function creditDeposit(
  deposit: PendingDeposit | CreditableReview,
  now: Date,
): DepositStep<CreditedDeposit> {
  const creditedAt = notBefore(now, deposit.createdAt)
  const { id, tenantId, chain, txHash, transferIndex, address, fromAddress, amount } = deposit
  const observed = { id, tenantId, chain, txHash, transferIndex, address, fromAddress, amount }
  return {
    deposit: { ...observed, createdAt: deposit.createdAt, status: 'credited', creditedAt },
    transfer: { type: 'deposit', amount },
    event: 'deposit.credited',
  }
}

/** The deposit with the instant that its commit recorded. */
export const depositAsCommitted = <D extends Deposit>(
  deposit: D,
  committed: 'committed' | Redated,
): D => (committed === 'committed' ? deposit : { ...deposit, creditedAt: committed.redatedTo })
