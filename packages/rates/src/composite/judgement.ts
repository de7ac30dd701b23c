import type { Rate } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { agree, type AgreementRules } from './agreement.ts'
import { isOff } from './bps.ts'
import { judgeJump, type JumpRules, type JumpState, noHistory } from './jump.ts'

export type Rules = AgreementRules &
  JumpRules & {
    /** Outside of these, both allowed themselves, nothing is believed. */
    readonly band: { readonly min: Rate; readonly max: Rate } | undefined
  }

/** Why the last poll gave no rate. */
export type Lack = 'not_asked' | 'too_few' | 'apart' | 'out_of_band' | 'jump'

export type Judgement = {
  /** What quotes may be made from, as long as it is fresh. */
  readonly good: RateReading | undefined
  readonly lack: Lack | undefined
  readonly jump: JumpState
}

export const nothingYet: Judgement = { good: undefined, lack: 'not_asked', jump: noHistory }

/**
 * What a poll's fresh readings make of what was believed before.
 *
 * Too few readings are no news: what was believed stands, but for the reading that speaks against
 * it. Everything else that gives no rate is news, and ends it.
 */
export function judge(
  before: Judgement,
  fresh: readonly RateReading[],
  now: Date,
  rules: Rules,
): Judgement {
  const refused = (lack: Lack): Judgement => ({ ...before, good: undefined, lack })
  const agreement = agree(fresh, rules)
  switch (agreement.type) {
    case 'too_few':
      return { ...before, good: temper(before.good, fresh, rules), lack: 'too_few' }
    case 'apart':
      return refused('apart')
    case 'agreed': {
      const { reading } = agreement
      if (!isInBand(reading.bid, rules)) return refused('out_of_band')
      const jump = judgeJump(before.jump, reading, now, rules)
      return jump.suspect ? { ...refused('jump'), jump } : { good: reading, lack: undefined, jump }
    }
  }
}

/** What is left of a good reading beside readings too few to replace it: never above any of them. */
function temper(
  good: RateReading | undefined,
  fresh: readonly RateReading[],
  rules: Rules,
): RateReading | undefined {
  if (!good) return undefined
  const bids = [good.bid, ...fresh.map(({ bid }) => bid)]
  const lowest = bids.reduce((a, b) => (b < a ? b : a))
  const highest = bids.reduce((a, b) => (b > a ? b : a))
  const stands = !isOff(highest, lowest, rules.maxSpreadBps) && isInBand(lowest, rules)
  return stands ? { ...good, bid: lowest } : undefined
}

const isInBand = (bid: Rate, { band }: Rules): boolean =>
  band === undefined || (bid >= band.min && bid <= band.max)
