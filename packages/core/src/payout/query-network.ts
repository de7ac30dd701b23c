import type { Ids } from '../ids.ts'
import { type CallAuthor, type NetworkCall, startCall } from '../network/network-call.ts'
import type { ProveNetwork } from '../network/prove-network.ts'
import { cancels, type NetworkAnswer, neverOrdered, type QrNetwork } from '../network/qr-network.ts'
import type { Clock, Monotonic } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { PayoutAlerts } from './alerts.ts'
import type { ClaimedPayout, PayoutStore } from './ports.ts'
import { proveUnpaid, type ProveUnpaidPorts } from './prove-unpaid.ts'
import { processingAlertSeconds } from './schedule.ts'

export type QueryNetworkPorts = ProveUnpaidPorts & {
  readonly payouts: Pick<PayoutStore, 'renew'>
  readonly network: Pick<QrNetwork, 'capabilities' | 'status' | 'cancel'>
  readonly proveNetwork: ProveNetwork
  readonly ids: Ids
  readonly now: Clock
  readonly monotonic: Monotonic
}

/** The calls that were made, and the answer of the last one; undefined when another claim came first. */
export type Queried = { readonly answer: NetworkAnswer | undefined; readonly calls: readonly NetworkCall[] }

/**
 * Queries the status of a claimed payout, unless its order never left. A reference that the network has not seen needs a
 * proof that nothing was paid, by the network's `unpaidProof`: it is cancelled, at the network that the books know, or the
 * statement lacks it for long enough. Without a proof it is left to people.
 */
export async function queryStatus(
  ports: QueryNetworkPorts,
  leaseSeconds: number,
  claimed: ClaimedPayout,
  author: CallAuthor,
  alerts: PayoutAlerts,
): Promise<Queried> {
  const { network, payouts, proveNetwork } = ports
  const { payout, claim } = claimed
  if (claimed.isOrdered === false) return { answer: neverOrdered, calls: [] }
  const record = startCall(ports, 'status', author)
  const status = await network.status(payout.id, payout.networkRef)
  const calls = [record(status)]
  if (status.type !== 'not_seen') return { answer: status, calls }
  if (!cancels(network) || !network.cancel)
    return { answer: (await provenUnpaid(ports, claimed, alerts)) ?? status, calls }
  const proof = await proveNetwork({ tenantId: payout.tenantId, payoutId: payout.id })
  if (proof === 'moved')
    alerts.raise('NEEDS_OPERATOR', 'ordered at another network than the one that has never seen it')
  if (proof !== 'known') return { answer: status, calls }
  if (!(await payouts.renew(claim, leaseSeconds))) return { answer: undefined, calls }
  const cancelled = await requestCancel(ports, network.cancel, payout, author)
  return { answer: cancelled.answer, calls: [...calls, ...cancelled.calls] }
}

/**
 * The answer that the statement gives about a payout which a network without cancel has not seen; undefined as long as
 * nothing is proven. An operator is alerted once that lasts.
 */
async function provenUnpaid(
  ports: QueryNetworkPorts,
  { payout, openSeconds }: ClaimedPayout,
  alerts: PayoutAlerts,
): Promise<NetworkAnswer | undefined> {
  const { unpaidProof } = ports.network.capabilities
  const afterSeconds = unpaidProof.by === 'statement' ? unpaidProof.afterSeconds : 0
  if (openSeconds < Math.max(afterSeconds, processingAlertSeconds)) return undefined
  if (unpaidProof.by !== 'statement') {
    alerts.raise('NEEDS_OPERATOR', 'not seen by the network, which cannot cancel references')
    return undefined
  }
  try {
    const proof = await proveUnpaid(ports, payout, afterSeconds)
    if (proof === undefined)
      alerts.raise(
        'NEEDS_OPERATOR',
        'neither seen by the network nor in its statement, which does not prove that it is unpaid',
      )
    return proof
  } catch (error) {
    // A statement that cannot be read now is read at the next status call.
    if (error instanceof Unavailable) return undefined
    throw error
  }
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
