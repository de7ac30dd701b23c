import { rate } from '@quipu/core'
import { type CompositeRate, compositeRate, httpJsonRate } from '@quipu/rates'

const now = () => new Date()

/** The lower bid of a broker and an exchange, if they agree. */
export const agreedRate = (broker: string, exchange: string): CompositeRate =>
  compositeRate({
    sources: [
      httpJsonRate({ url: broker, bidPath: 'bid', timePath: 'at', now }),
      httpJsonRate({ url: exchange, bidPath: 'market.bid', timePath: 'market.time', now }),
    ],
    band: { min: rate(60_000n), max: rate(200_000n) }, // 6.0000 to 20.0000
    now,
  })
