import type { Fault } from './fault.ts'
import type { PaymentGate } from '../restore/ports.ts'
import { isoText } from '../time.ts'

/** Payments that do not begin. */
export const gateFaults = ({ stop, ...gate }: PaymentGate): readonly Fault[] => [
  ...haltFaults(gate),
  ...(stop === null
    ? []
    : [
        {
          code: 'PAYOUTS_STOPPED' as const,
          subject: 'payouts',
          detail: `no payout is accepted since ${isoText(stop.at)}: ${stop.by} has stopped them: ${stop.reason}`,
        },
      ]),
]

function haltFaults({ halt, unchecked }: Omit<PaymentGate, 'stop'>): readonly Fault[] {
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
