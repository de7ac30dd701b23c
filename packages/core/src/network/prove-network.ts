import type { Clock, Monotonic } from '../time.ts'
import type { PayoutRef } from './network-call.ts'
import type { NetworkStore, KnownPayment } from './network-store.ts'
import type { QrNetwork } from './qr-network.ts'

/** The ports of `proveNetwork`. */
export type ProveNetworkPorts = {
  readonly networks: Pick<NetworkStore, 'knownPayment' | 'halt'>
  readonly network: Pick<QrNetwork, 'identity' | 'capabilities' | 'status' | 'statement'>
  readonly now: Clock
  readonly monotonic: Monotonic
}

/** Whether the network has shown that it is the one at which this payout was ordered. */
export type ProveNetwork = (payout: PayoutRef) => Promise<NetworkProof>

/**
 * `known`: it knows the newest payment of the books. `unproven`: it has not answered, does not list the payment yet, or
 * does not know it and is halted. `moved`: the payout was ordered before an admin confirmed another network that knows
 * no payment of then.
 */
export type NetworkProof = 'known' | 'unproven' | 'moved'

const knownMs = 10_000
const dayMs = 86_400_000

/**
 * Queries the network, by its `identityProof`, for the newest payout that the books have as completed: one that has not
 * seen it is another network, or has lost its ledger, and its `not_seen` and `cancelled` prove nothing. The database then
 * halts it.
 *
 * A network that knew it is not queried again for `knownMs`. Without a completed payout there is nothing to query; the
 * network's identity alone then speaks for it.
 */
export function proveNetwork(ports: ProveNetworkPorts): ProveNetwork {
  const { networks, network, monotonic } = ports
  let knownUntil = -Infinity
  return async (payout) => {
    const { payment, isCurrent } = await networks.knownPayment(payout)
    if (payment === null) return isCurrent ? 'known' : 'moved'
    if (isCurrent && monotonic() < knownUntil) return 'known'
    const recognize = network.capabilities.identityProof === 'status' ? byStatus : byStatement
    const found = await recognize(ports, payment)
    if (found === 'unsure') return 'unproven'
    if (found === 'known') {
      if (isCurrent) knownUntil = monotonic() + knownMs
      return 'known'
    }
    if (!isCurrent) return 'moved'
    await networks.halt(network.identity, payment.payoutId)
    return 'unproven'
  }
}

type Payment = NonNullable<KnownPayment['payment']>
type Recognize = (ports: ProveNetworkPorts, payment: Payment) => Promise<'known' | 'unknown' | 'unsure'>

const byStatus: Recognize = async ({ network }, { payoutId, networkRef }) => {
  const { type } = await network.status(payoutId, networkRef)
  if (type === 'unknown') return 'unsure'
  return type === 'not_seen' ? 'unknown' : 'known'
}

/**
 * A payment that the statement lacks may be listed later: only where the network says how much later, and after the whole
 * day of the payment, its absence counts.
 */
const byStatement: Recognize = async ({ network, now }, { payoutId, createdAt, endedAt }) => {
  const until = new Date(endedAt.getTime() + dayMs)
  for await (const { reference } of network.statement(new Date(createdAt.getTime() - dayMs), until))
    if (reference === payoutId) return 'known'
  const { unpaidProof } = network.capabilities
  const isClosed = unpaidProof.by === 'statement' && now().getTime() > until.getTime() + unpaidProof.afterSeconds * 1000
  return isClosed ? 'unknown' : 'unsure'
}
