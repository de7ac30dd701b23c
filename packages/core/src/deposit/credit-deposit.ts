import { notBefore } from '../time.ts'
import type { Redated } from '../event/redated.ts'
import type { CreditedDeposit, Deposit, DepositStep, UndecidedDeposit } from './deposit.ts'
import type { CreditableReview } from './resolve-review.ts'

/** Credits the deposit's whole amount to the wallet. @source spec §3 Deposit statuses */
export function creditDeposit(deposit: UndecidedDeposit | CreditableReview, now: Date): DepositStep<CreditedDeposit> {
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
export function depositAsCommitted<D extends Deposit>(deposit: D, committed: 'committed' | Redated): D {
  if (committed === 'committed') return deposit
  const at = committed.redatedTo
  return deposit.status === 'in_review'
    ? { ...deposit, closed: deposit.closed && { ...deposit.closed, at } }
    : { ...deposit, creditedAt: at }
}
