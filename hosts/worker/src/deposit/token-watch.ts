import { type ChainReader, type RaiseAlert, type Timer, Unavailable } from '@quipu/core'
import type { TokenState } from '@quipu/core/adapter'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type TokenWatchPorts = {
  readonly reader: Pick<ChainReader, 'tokenState'>
  /** The text form of the token's contract. */
  readonly contract: string
  readonly raiseAlert: RaiseAlert
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

const minuteMs = 60_000

const meanings: Readonly<Record<TokenState, string>> = {
  normal: 'moves as usual again',
  paused: 'is paused: nothing moves',
  deprecated: 'was replaced by another contract, whose transfers are not seen',
  charges_fee: 'charges a fee for each transfer',
}

/**
 * Reads the state of the token's contract every minute, and raises an alert when it has changed: deposits, which need
 * `normal`, may be rare, or go to another contract. A restarted process raises it again for any other state.
 *
 * An unavailable node is not reported: the scans report it.
 */
export function tokenWatch(ports: TokenWatchPorts): PollingLoop {
  const { reader, contract: subject, raiseAlert, timer, report } = ports
  let last: TokenState = 'normal'
  const poll = async (): Promise<number> => {
    try {
      const state = await reader.tokenState()
      const detail = `the token’s contract ${meanings[state]} (${state})`
      if (state !== last) raiseAlert({ code: 'TOKEN_STATE_CHANGED', tenantId: null, subject, detail })
      last = state
    } catch (error) {
      if (!(error instanceof Unavailable)) report(error)
    }
    return minuteMs
  }
  return pollingLoop(poll, timer)
}
