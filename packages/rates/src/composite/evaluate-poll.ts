import type { Rate } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { agree, type AgreementRules } from './agreement.ts'
import { differsByMore } from './bps.ts'
import { checkJump, type JumpRules, type JumpState, noHistory } from './jump.ts'

export type Rules = AgreementRules &
  JumpRules & {
    /** Plausible bids, both ends included. */
    readonly band: { readonly min: Rate; readonly max: Rate } | undefined
  }

/** Why the last poll gave no new rate. */
export type Rejection = 'not_polled' | 'too_few' | 'disagreement' | 'out_of_band' | 'jump'

export type PollState = {
  /** The rate for quotes, while it is fresh. */
  readonly reading: RateReading | undefined
  readonly rejection: Rejection | undefined
  readonly jump: JumpState
}

export const initialState: PollState = { reading: undefined, rejection: 'not_polled', jump: noHistory }

/**
 * Evaluates the fresh readings of a poll.
 *
 * With too few readings the previous rate stays, unless one of them contradicts it. Any other
 * rejection ends the previous rate.
 */
export function evaluatePoll(previous: PollState, fresh: readonly RateReading[], now: Date, rules: Rules): PollState {
  const rejected = (rejection: Rejection): PollState => ({ ...previous, reading: undefined, rejection })
  const agreement = agree(fresh, rules)
  switch (agreement.type) {
    case 'too_few':
      return { ...previous, reading: keepPrevious(previous.reading, fresh, rules), rejection: 'too_few' }
    case 'disagreement':
      return rejected('disagreement')
    case 'agreed': {
      const { reading } = agreement
      if (!isInBand(reading.bid, rules)) return rejected('out_of_band')
      const jump = checkJump(previous.jump, reading, now, rules)
      return jump.unconfirmed ? { ...rejected('jump'), jump } : { reading: reading, rejection: undefined, jump }
    }
  }
}

/** Lowers the previous rate to the lowest fresh bid; undefined if that is too far from it. */
function keepPrevious(
  previous: RateReading | undefined,
  fresh: readonly RateReading[],
  rules: Rules,
): RateReading | undefined {
  if (!previous) return undefined
  const bids = [previous.bid, ...fresh.map(({ bid }) => bid)]
  const lowest = bids.reduce((a, b) => (b < a ? b : a))
  const highest = bids.reduce((a, b) => (b > a ? b : a))
  const isKept = !differsByMore(highest, lowest, rules.maxSpreadBps) && isInBand(lowest, rules)
  return isKept ? { ...previous, bid: lowest } : undefined
}

const isInBand = (bid: Rate, { band }: Rules): boolean => band === undefined || (bid >= band.min && bid <= band.max)
