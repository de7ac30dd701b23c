import { type Bob, bob } from '../money.ts'

type Details = Readonly<Record<string, string>>

/** Settles a payout in `processing` by evidence. It needs two people, whatever the amount. */
export type SettlePayout = {
  readonly type: 'settle_payout'
  readonly payoutId: string
  readonly outcome: 'completed' | 'failed' | 'cancelled'
  /** The amount that the network paid; null when it paid nothing. */
  readonly paid: Bob | null
  /** The network's id of the payment. */
  readonly networkPaymentId: string | null
  /** The amount of the payout, for the person who approves. */
  readonly ordered?: Bob
  /** The payment that the network answered, as a text: `NetworkCall.detail`; left out when it answered none. */
  readonly networkPaid?: string
  /** Said by the proposer: the settlement is another one than the payment that the network answered. */
  readonly contradictsNetwork?: true
}

/** The parameters of a settlement, as a store keeps them. */
export function settlementDetails(action: SettlePayout): Details {
  const { outcome, paid, networkPaymentId, ordered, networkPaid, contradictsNetwork } = action
  return {
    outcome,
    ...(paid && { paid_minor: paid.minor.toString() }),
    ...(networkPaymentId !== null && { network_payment_id: networkPaymentId }),
    ...(ordered && { ordered_minor: ordered.minor.toString() }),
    ...(networkPaid !== undefined && { network_paid: networkPaid }),
    ...(contradictsNetwork && { contradicts_network: 'true' }),
  }
}

/** The inverse of `settlementDetails`. */
export function settlementFromDetails(
  payoutId: string,
  { outcome, paid_minor: paid, network_payment_id: paymentId, ...more }: Details,
): SettlePayout {
  const { ordered_minor: ordered, network_paid: networkPaid, contradicts_network: said } = more
  return {
    type: 'settle_payout',
    payoutId,
    outcome: outcome as SettlePayout['outcome'],
    paid: paid === undefined ? null : bob(BigInt(paid)),
    networkPaymentId: paymentId ?? null,
    ...(ordered !== undefined && { ordered: bob(BigInt(ordered)) }),
    ...(networkPaid !== undefined && { networkPaid }),
    ...(said !== undefined && { contradictsNetwork: true }),
  }
}
