import type { Fault } from './fault.ts'
import type { PaymentGate } from '../restore/ports.ts'

/** Payments that do not begin. */
export function gateFaults({ halt, unchecked }: PaymentGate): readonly Fault[] {
  if (halt !== null)
    return [
      {
        code: 'PAYMENTS_HALTED',
        subject: 'database',
        detail: `no payment begins until a restore is confirmed: ${halt.reason}: ${halt.detail}`,
      },
    ]
  if (unchecked === null) return []
  return [
    {
      code: 'PAYMENTS_UNCHECKED',
      subject: 'database',
      detail:
        'no payment begins: the database was started, and no worker has compared the network’s newest payments with it',
    },
  ]
}
