import type { DepositEventType, NewEvent } from '../event/event.ts'
import { depositAsCommitted } from './credit-deposit.ts'
import { recordEvent, type RecordEventPorts } from '../event/record-event.ts'
import { notBefore } from '../time.ts'
import {
  type CreditedDeposit,
  type Deposit,
  depositEndedAt,
  type DepositInReview,
  type DepositStep,
} from './deposit.ts'

/** The step with its event in final bytes, at the time of its commit. */
export function recordDepositStep<D extends CreditedDeposit | DepositInReview>(
  ports: RecordEventPorts<DepositEventType, Deposit>,
  step: DepositStep<D>,
): DepositStep<D, NewEvent> {
  const { deposit, event: type } = step
  const occurredAt = depositEndedAt(deposit) ?? notBefore(ports.now(), deposit.createdAt)
  return {
    ...step,
    event: recordEvent(ports, { type, occurredAt, data: deposit }, (redatedTo) =>
      depositAsCommitted(deposit, { redatedTo }),
    ),
  }
}
