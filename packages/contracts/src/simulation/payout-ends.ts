import type { NetworkAnswer } from '@quipu/core/adapter'

/** The allowed ends of an accepted payout, as status and error code, by the network's record of its order. */
export const payoutEnds: Readonly<Record<NetworkAnswer['type'] | 'not_seen', readonly string[]>> = {
  paid: ['completed'],
  refused_payment: ['failed PAYMENT_FAILED'],
  refused_qr: ['rejected QR_REFUSED', 'failed PAYMENT_FAILED'],
  no_liquidity: ['cancelled INSUFFICIENT_FUNDS'],
  limit: ['cancelled AMOUNT_EXCEEDS_PROVIDER_LIMIT'],
  cancelled: ['cancelled PAYMENT_CANCELLED'],
  not_seen: ['cancelled PAYMENT_CANCELLED'], // The order was provably not sent.
  not_sent: [],
  pending: [],
  returned: [],
  unknown: [],
}
