import type { PayoutEventType, NewEvent } from '../event/event.ts'
import { recordEvent, type RecordEventPorts } from '../event/record-event.ts'
import type { EndedPayout, PayoutStep } from './payout.ts'

/** The step with its event in final bytes; null when the step has none. */
export function recordPayoutStep<P extends EndedPayout>(
  ports: RecordEventPorts<PayoutEventType, EndedPayout>,
  step: PayoutStep<P>,
): PayoutStep<P, NewEvent | null> {
  const { payout, event: type } = step
  const event =
    type === null
      ? null
      : recordEvent(ports, { type, occurredAt: payout.endedAt, data: payout }, (endedAt) => ({ ...payout, endedAt }))
  return { ...step, event }
}
