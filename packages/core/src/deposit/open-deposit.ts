import { usdt } from '../money.ts'
import type { TokenTransfer } from '../chain/chain.ts'
import type { DepositStep, PendingDeposit } from './deposit.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'

/**
 * Opens a deposit for a transfer to a top-up address: pending, with its event and without a credit.
 *
 * @param fromAddress the text form of the sender's account
 * @source spec §3 Deposit statuses
 */
export const openDeposit = (
  { txHash, index, value }: TokenTransfer,
  { tenantId, chain, address }: TopUpAddress,
  { id, fromAddress, at }: { id: string; fromAddress: string; at: Date },
): DepositStep<PendingDeposit> => ({
  deposit: {
    id,
    tenantId,
    chain,
    txHash,
    transferIndex: index,
    address,
    fromAddress,
    amount: usdt(value),
    createdAt: at,
    status: 'pending',
  },
  transfer: null,
  event: 'deposit.pending',
})
