import type { Monotonic } from '../time.ts'
import type { PayoutRef } from './network-call.ts'
import type { NetworkStore } from './network-store.ts'
import type { QrNetwork } from './qr-network.ts'

/** The ports of `proveNetwork`. */
export type ProveNetworkPorts = {
  readonly networks: Pick<NetworkStore, 'witness' | 'halt'>
  readonly network: Pick<QrNetwork, 'identity' | 'status'>
  readonly monotonic: Monotonic
}

/** Whether the network has shown that it is the one at which this payout was ordered. */
export type ProveNetwork = (payout: PayoutRef) => Promise<NetworkProof>

/**
 * `known`: it knows the newest payment of the books. `unproven`: it has not answered, it does not know that payment
 * and is halted, or the payout was ordered before an admin confirmed another network that knows no payment of then.
 */
export type NetworkProof = 'known' | 'unproven' | 'moved'

const knownMs = 10_000

/**
 * Queries the network for the newest payout that the books have as completed: one that has not seen it is another
 * network, or has lost its ledger, and its `not_seen` and `cancelled` prove nothing. The database then halts it.
 *
 * A network that knew it is not queried again for 10 s. Without a completed payout there is nothing to query; the
 * network's identity alone then speaks for it.
 */
export function proveNetwork(ports: ProveNetworkPorts): ProveNetwork {
  const { networks, network, monotonic } = ports
  let knownUntil = -Infinity
  return async (payout) => {
    const { payment, isCurrent } = await networks.witness(payout)
    if (payment === null) return isCurrent ? 'known' : 'moved'
    if (isCurrent && monotonic() < knownUntil) return 'known'
    const { type } = await network.status(payment.payoutId, payment.networkRef)
    if (type === 'unknown') return 'unproven'
    if (type !== 'not_seen') {
      if (isCurrent) knownUntil = monotonic() + knownMs
      return 'known'
    }
    if (!isCurrent) return 'moved'
    await networks.halt(network.identity, payment.payoutId)
    return 'unproven'
  }
}
