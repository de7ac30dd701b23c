import type { Evidence, SettlePayout } from '@quipu/core/operator'
import { z } from 'zod'
import { members, oneOf, text } from '../json/fields.ts'
import { positiveBob, readBob } from '../json/money.ts'
import { mapParsed, parse, type Parsed, type Rule } from '../json/parsed.ts'
import { evidenceRequest } from '../json/note.ts'
import { settlementOutcomes } from './settlement-outcome.ts'

export const settlementRequest = members({
  outcome: oneOf(settlementOutcomes).meta({
    description: '`completed` debits the tenant the price of the quote; the others release the hold.',
  }),
  paid_amount: positiveBob
    .optional()
    .meta({ description: 'What the network paid, in BOB. Left out: nothing. `completed` requires it.' }),
  network_payment_id: text(1, 255)
    .optional()
    .meta({ description: 'The network’s id of the payment.', examples: ['QN0000000001'] }),
  contradicts_network: z
    .boolean()
    .optional()
    .meta({
      description:
        'True: the settlement is another one than the payment that the network answered. Left out, such a settlement is refused.',
      examples: [true],
    }),
  reason: text(1, 500).meta({ examples: ['The network confirmed a payment of BOB 99.00.'] }),
  evidence: evidenceRequest,
}).meta({ id: 'SettlementRequest' })

/** A proposed settlement of a payout by evidence. */
export type SettlementRequest = {
  readonly settlement: Omit<SettlePayout, 'type' | 'payoutId' | 'ordered' | 'networkPaid'>
  readonly note: { readonly reason: string; readonly evidence: Evidence }
}

/** Reads the body of `POST /operator/v1/payouts/{id}/settle`. */
export const parseSettlement = (body: unknown): Parsed<SettlementRequest> =>
  mapParsed(parse(settlementRequest, body, namesPaid), toSettlement)

const namesPaid: Rule = ({ outcome, paid_amount: paid }) =>
  outcome === 'completed' && paid === undefined ? [{ field: 'paid_amount', message: 'is required with completed' }] : []

function toSettlement(request: z.output<typeof settlementRequest>): SettlementRequest {
  const { outcome, paid_amount: paid, network_payment_id: paymentId, reason, evidence } = request
  const settlement = { outcome, paid: paid === undefined ? null : readBob(paid) }
  return {
    settlement: {
      ...settlement,
      networkPaymentId: paymentId ?? null,
      ...(request.contradicts_network === true && { contradictsNetwork: true as const }),
    },
    note: { reason, evidence },
  }
}
