import { notBefore } from '../time.ts'
import type { Redated } from '../event/redate-event.ts'
import type { CreditedDeposit, Deposit, DepositStep, PendingDeposit } from './deposit.ts'
import type { CreditableReview } from './resolve-review.ts'

/** The amount enters the wallet, whole and once. @source spec §3 Deposit statuses */
export function creditDeposit(
  deposit: PendingDeposit | CreditableReview,
  now: Date,
): DepositStep<CreditedDeposit> {
  const creditedAt = notBefore(now, deposit.createdAt)
  const { id, tenantId, chain, txHash, transferIndex, address, fromAddress, amount } = deposit
  const seen = { id, tenantId, chain, txHash, transferIndex, address, fromAddress, amount }
  return {
    deposit: { ...seen, createdAt: deposit.createdAt, status: 'credited', creditedAt },
    transfer: { type: 'deposit', amount },
    event: 'deposit.credited',
  }
}

/** A deposit as its commit has dated it. */
export const depositAsCommitted = <D extends Deposit>(
  deposit: D,
  committed: 'committed' | Redated,
): D => (committed === 'committed' ? deposit : { ...deposit, creditedAt: committed.redatedTo })
