import type { Ids } from '../ids.ts'
import { type CallAuthor, type NetworkCall, startCall } from '../network/network-call.ts'
import type { ProveNetwork } from '../network/prove-network.ts'
import type { NetworkAnswer, QrNetwork } from '../network/qr-network.ts'
import type { Clock, Monotonic } from '../time.ts'
import type { PayoutAlerts } from './alerts.ts'
import type { ClaimedPayout, PayoutStore } from './ports.ts'

export type QueryNetworkPorts = {
  readonly payouts: Pick<PayoutStore, 'renew'>
  readonly network: Pick<QrNetwork, 'status' | 'cancel'>
  readonly proveNetwork: ProveNetwork
  readonly ids: Ids
  readonly now: Clock
  readonly monotonic: Monotonic
}

/** The calls that were made, and the answer of the last one; undefined when another claim came first. */
export type Queried = { readonly answer: NetworkAnswer | undefined; readonly calls: readonly NetworkCall[] }

/**
 * Asks for the status of a claimed payout, and cancels a reference that the network has not seen: only that
 * proves that nothing was paid, and only at the network that the books know. A network that cannot cancel, or that an
 * admin confirmed after the order, leaves such a payout to an operator.
 */
export async function queryStatus(
  ports: QueryNetworkPorts,
  leaseSeconds: number,
  { payout, claim }: ClaimedPayout,
  author: CallAuthor,
  alerts: PayoutAlerts,
): Promise<Queried> {
  const { network, payouts, proveNetwork } = ports
  const record = startCall(ports, 'status', author)
  const status = await network.status(payout.id, payout.networkRef)
  const calls = [record(status)]
  if (status.type !== 'not_seen') return { answer: status, calls }
  if (!network.cancel) {
    alerts.raise('NEEDS_OPERATOR', 'never seen by the network, which cannot cancel references')
    return { answer: status, calls }
  }
  const proof = await proveNetwork({ tenantId: payout.tenantId, payoutId: payout.id })
  if (proof === 'moved')
    alerts.raise('NEEDS_OPERATOR', 'ordered at another network than the one that has never seen it')
  if (proof !== 'known') return { answer: status, calls }
  if (!(await payouts.renew(claim, leaseSeconds))) return { answer: undefined, calls }
  const cancelled = await requestCancel(ports, network.cancel, payout, author)
  return { answer: cancelled.answer, calls: [...calls, ...cancelled.calls] }
}

/** Cancels the reference of a claimed payout. The answer is the payment that exists, if there is one. */
export async function requestCancel(
  ports: Pick<QueryNetworkPorts, 'ids' | 'now' | 'monotonic'>,
  cancel: NonNullable<QrNetwork['cancel']>,
  { id, networkRef }: ClaimedPayout['payout'],
  author: CallAuthor,
): Promise<Queried> {
  const record = startCall(ports, 'cancel', author)
  const answer = await cancel(id, networkRef)
  return { answer, calls: [record(answer)] }
}
