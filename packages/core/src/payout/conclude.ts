import type { EventRecord } from '../event/event.ts'
import { recordEvent, type RecordEventPorts } from '../event/record-event.ts'
import type { Alarm, Incident } from '../incident.ts'
import type { NetworkAnswer } from '../network/qr-network.ts'
import type { EndedPayout, Payout, ProcessingPayout, Step } from './payout.ts'
import type { Claim, PayoutStore } from './ports.ts'
import { isFinal, isWrongAmount, settle, type Timing } from './settle.ts'

export type ConcludePorts = RecordEventPorts & {
  readonly payouts: Pick<PayoutStore, 'commit' | 'get' | 'release'>
  readonly alarm: Alarm
}

/**
 * Ends a payout with the network's answer if that is final; else gives its claim back.
 *
 * @returns the payout as it now stands: ended, or still `processing`, due for a worker in `dueInSeconds`
 * @throws Unavailable when the outcome of the write is unknown; the lease then ends by itself
 */
export async function conclude(
  ports: ConcludePorts,
  claim: Claim,
  payout: ProcessingPayout,
  answer: NetworkAnswer,
  { timing, dueInSeconds }: { timing: Timing; dueInSeconds: number },
): Promise<Payout> {
  raise(ports.alarm, payout, answer)
  if (!isFinal(payout, answer)) {
    // Not even this matters if it fails: the lease ends, and then the payout is due.
    await ports.payouts.release(claim, dueInSeconds).catch(() => false)
    return payout
  }
  const step = settle(payout, answer, timing, ports.now())
  const event = recordStep(ports, step)
  const committed = await ports.payouts.commit({ kind: 'settle', step, claim, event })
  if (committed === 'committed') return step.payout

  const current = (await ports.payouts.get(payout.tenantId, payout.id)) ?? payout
  if (contradicts(current, answer)) {
    raiseIncident(
      ports.alarm,
      payout,
      'NETWORK_CONTRADICTS',
      `${current.status}, then ${answer.type}`,
    )
  }
  return current
}

/** The event of a step, with its final bytes; null when the step publishes none. */
export function recordStep(ports: RecordEventPorts, step: Step<EndedPayout>): EventRecord | null {
  const type = step.effects.find((effect) => effect.type === 'publish')?.event
  if (!type) return null
  return recordEvent(ports, { type, occurredAt: step.payout.endedAt, data: step.payout })
}

const contradicts = (current: Payout, answer: NetworkAnswer): boolean =>
  current.status !== 'processing' && (current.status === 'completed') !== (answer.type === 'paid')

function raise(alarm: Alarm, payout: ProcessingPayout, answer: NetworkAnswer): void {
  if (answer.type === 'not_sent') raiseIncident(alarm, payout, 'ORDER_NOT_SENT', answer.reason)
  if (answer.type === 'unknown' && answer.breach)
    raiseIncident(alarm, payout, 'UNEXPECTED_ANSWER', answer.reason)
  if (isWrongAmount(payout, answer)) {
    raiseIncident(alarm, payout, 'PAID_WRONG_AMOUNT', 'the hold is kept until a person decides')
  }
}

export const raiseIncident = (
  alarm: Alarm,
  { tenantId, id }: ProcessingPayout,
  code: Incident['code'],
  detail: string,
): void => alarm({ code, tenantId, subject: id, detail })
