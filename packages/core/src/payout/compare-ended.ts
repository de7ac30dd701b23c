import { contradiction } from '../difference/difference.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { Ids } from '../ids.ts'
import { type CallAuthor, type NetworkCall, type NetworkCallStore, startCall } from '../network/network-call.ts'
import type { NetworkAnswer, QrNetwork } from '../network/qr-network.ts'
import type { Clock, Monotonic } from '../time.ts'
import type { Payout } from './payout.ts'
import type { PayoutStore } from './ports.ts'

export type ContradictionPorts = {
  readonly differences: Pick<DifferenceStore, 'record'>
  readonly ids: Ids
  readonly now: Clock
}

/**
 * Records that the network contradicts a payout that has ended: one open difference of the payout, whose alert is raised
 * once. The payout's status never changes.
 */
export async function recordContradiction(
  { differences, ids, now }: ContradictionPorts,
  current: Payout,
  answer: NetworkAnswer,
): Promise<void> {
  const { id: subject, tenantId, status } = current
  if (status === 'processing' || (status === 'completed') === (answer.type === 'paid')) return
  const at = now()
  const about = { check: 'network', kind: contradiction, scope: '', tenantId, subject } as const
  const detail = `${status}, then ${answer.type}`
  const difference = { ...about, detail, expected: null, found: null, id: ids.next('dif', at) }
  await differences.record([difference], at)
}

type CompareEndedPorts = ContradictionPorts & {
  readonly network: Pick<QrNetwork, 'status'>
  readonly networkCalls: Pick<NetworkCallStore, 'record'>
  readonly payouts: Pick<PayoutStore, 'get'>
  readonly monotonic: Monotonic
}

/** Queries the status of a payout that has ended, and records a difference when the network contradicts it. */
export async function compareEnded(
  ports: CompareEndedPorts,
  { tenantId, id, networkRef }: Extract<Payout, { quote: object }>,
  author: CallAuthor,
): Promise<{ readonly payout: Payout; readonly calls: readonly NetworkCall[] }> {
  const record = startCall(ports, 'status', author)
  const answer = await ports.network.status(id, networkRef)
  const calls = [record(answer)]
  await ports.networkCalls.record({ tenantId, payoutId: id }, calls)
  const payout = await ports.payouts.get(tenantId, id)
  if (!payout) throw new Error(`payout ${id} not found on read-back`)
  if (isDecided(answer)) await recordContradiction(ports, payout, answer)
  return { payout, calls }
}

const isDecided = ({ type }: NetworkAnswer): boolean => type !== 'pending' && type !== 'not_seen' && type !== 'unknown'
