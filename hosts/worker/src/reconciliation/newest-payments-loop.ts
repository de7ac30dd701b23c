import { type Timer, Unavailable } from '@quipu/core'
import type { ComparedNewestPayments } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type NewestPaymentsLoopPorts = {
  readonly compare: () => Promise<ComparedNewestPayments>
  readonly log: {
    readonly [Level in 'info' | 'warn' | 'error']: (fields: object, message: string) => void
  }
  readonly timer: Timer
}

const pauseMs = 1_000
const pauseAfterFailureMs = 5_000

/**
 * Compares the network's newest payments with the database after each start of its server that no process vouches for.
 * No payment begins until then, so it looks every second.
 */
export function newestPaymentsLoop({ compare, log, timer }: NewestPaymentsLoopPorts): PollingLoop {
  return pollingLoop(async () => {
    try {
      const { type, compared } = await compare()
      if (type === 'accepted') log.info({ compared }, 'the network’s newest payments are all here; payments begin')
      if (type === 'halted')
        log.error({ compared }, 'the network has paid what the database lacks; payments are halted')
      return pauseMs
    } catch (error) {
      const level = error instanceof Unavailable ? 'warn' : 'error'
      log[level](
        { err: error },
        `comparing the network’s newest payments failed; no payment begins until it succeeds; retrying in ${pauseAfterFailureMs / 1_000} s`,
      )
      return pauseAfterFailureMs
    }
  }, timer)
}
