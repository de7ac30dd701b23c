import { type Bob, toDecimal, type Timer } from '@quipu/core'
import type { LiquidityReading } from '@quipu/core/operator'
import { type Metrics, type PollingLoop, pollingLoop } from '@quipu/runtime'

export type LiquidityLoopPorts = {
  readonly check: () => Promise<LiquidityReading>
  /** Called with each reading. */
  readonly observed: (available: Bob) => void
  readonly log: {
    readonly [Level in 'info' | 'warn']: (fields: object, message: string) => void
  }
  readonly timer: Timer
}

/** Polls the network's liquidity, and logs when it falls below the floor and when it recovers. */
export function liquidityLoop(
  { check, observed, log, timer }: LiquidityLoopPorts,
  { everySeconds }: { readonly everySeconds: number },
): PollingLoop {
  let wasLow = false
  const poll = async (): Promise<number> => {
    try {
      const { available, isLow } = await check()
      observed(available)
      const reading = { available_bob: toDecimal(available) }
      if (isLow && !wasLow) log.warn(reading, 'network liquidity is below the floor; top up the account at the network')
      if (!isLow && wasLow) log.info(reading, 'network liquidity is above the floor again')
      wasLow = isLow
    } catch (error) {
      log.warn({ err: error }, `reading the network’s liquidity failed; retrying in ${everySeconds} s`)
    }
    return everySeconds * 1_000
  }
  return pollingLoop(poll, timer)
}

/** A gauge of what the network can still pay out. It has no value before the first reading. */
export function liquidityGauge(metrics: Metrics): (available: Bob) => void {
  let newest: Bob | undefined
  const name = 'quipu_network_liquidity_bob'
  const help = 'BOB that the QR network can still pay out, as last read.'
  metrics.observed({ name, help }, async () => (newest === undefined ? [] : [[{}, Number(toDecimal(newest))]]))
  return (available) => {
    newest = available
  }
}
