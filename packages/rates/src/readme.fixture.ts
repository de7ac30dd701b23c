import { type CompositeRate, compositeRate, httpJsonRate } from '@quipu/rates'

const now = () => new Date()

/** What a desk and an exchange agree on: the lower of their bids. */
export const agreedRate = (desk: string, exchange: string): CompositeRate =>
  compositeRate({
    sources: [
      httpJsonRate({ url: desk, bidPath: 'bid', timePath: 'at', now }),
      httpJsonRate({ url: exchange, bidPath: 'market.bid', timePath: 'market.time', now }),
    ],
    band: { min: 60_000n, max: 200_000n }, // 6.0000 to 20.0000
    now,
  })
