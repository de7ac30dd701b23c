import type { EncodeEventOf, WalletEventType } from '../event/event.ts'
import { recordEvent, type RecordEventPorts } from '../event/record-event.ts'
import type { Usdt } from '../money.ts'
import { isBalanceLow, type WalletBalance, type WalletEvent } from './ledger.ts'
import type { BalanceEventOf, WalletStore } from './ports.ts'

/** The ports of thresholds of balances. */
export type BalanceThresholdPorts = RecordEventPorts<WalletEventType, WalletBalance> & {
  readonly wallets: Pick<WalletStore, 'setLowBalanceThreshold' | 'recordCrossings'>
  readonly encodeEvent: EncodeEventOf<WalletEvent>
}

/** Sets the threshold of a tenant's wallet; null removes it. */
export type SetLowBalanceThreshold = (tenantId: string, threshold: Usdt | null) => Promise<void>

/**
 * Sets the amount below which an available balance is low. The event `wallet.balance_low` or `wallet.balance_restored`
 * follows at once if the new threshold changes that; without a threshold no balance is low.
 *
 * @throws Unavailable when the outcome is unknown: the same call again is safe
 * @source assumed
 * @example
 * ```ts
 * await setLowBalanceThreshold(ports)(tenant.id, usdt(500_000_000n))
 * console.log(await recordBalanceCrossings(ports)) // 0
 * ```
 */
export const setLowBalanceThreshold =
  (ports: BalanceThresholdPorts): SetLowBalanceThreshold =>
  (tenantId, threshold) =>
    ports.wallets.setLowBalanceThreshold(tenantId, threshold, balanceEventOf(ports))

/** How often a worker calls `recordBalanceCrossings`. */
export const balanceCheckSeconds = 30

/** How many wallets one transaction of `recordBalanceCrossings` locks at most. */
const batchSize = 50

/**
 * Stores the event of each balance that fell below its threshold, or is back at or above it, since the last call.
 * Balances that crossed twice in between have none.
 *
 * @returns how many events
 * @throws Unavailable when the outcome is unknown: the next call stores what is missing
 * @source assumed
 * @example
 * ```ts
 * console.log(await recordBalanceCrossings(ports)) // 0
 * ```
 */
export async function recordBalanceCrossings(ports: BalanceThresholdPorts): Promise<number> {
  let count = 0
  for (let last = batchSize; last === batchSize; count += last)
    last = await ports.wallets.recordCrossings(batchSize, balanceEventOf(ports))
  return count
}

const balanceEventOf =
  (ports: BalanceThresholdPorts): BalanceEventOf =>
  (data) =>
    recordEvent(
      ports,
      { type: isBalanceLow(data) ? 'wallet.balance_low' : 'wallet.balance_restored', occurredAt: ports.now(), data },
      () => data,
    )
