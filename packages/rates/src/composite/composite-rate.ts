import { type Clock, type Rate, type RateSource, Unavailable } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { freshness, isFresh } from '../freshness.ts'
import { noHistory } from './jump.ts'
import { judge, type Judgement, type Lack, nothingYet } from './judgement.ts'

export type CompositeRateOptions = {
  /** Two or more, of different names, each with its own deadline. */
  readonly sources: readonly RateSource[]
  readonly now: Clock
  /** How far the highest bid may be above the lowest; 200 by default. */
  readonly maxSpreadBps?: number
  /** How old a reading may be by its source's own time; 180 by default. */
  readonly staleSeconds?: number
  /** How far a bid may be from the median of the last five minutes unconfirmed; 300 by default. */
  readonly maxJumpBps?: number
  /** How long a poll answers before the sources are asked again; 30 by default. */
  readonly pollSeconds?: number
  /** As `pollSeconds`, after a poll that reached too few sources; 5 by default. */
  readonly retrySeconds?: number
  /** Bids that can be believed at all, both ends included; any by default. */
  readonly band?: { readonly min: Rate; readonly max: Rate }
}

export type CompositeRate = RateSource & {
  /** Asks the sources now. A host that calls this every `pollSeconds` spares its quotes the wait. */
  refresh(): Promise<void>
  /** Gives no rate until `resume`: an operator's switch, of this process alone. */
  pause(): void
  /** Gives rates again. What was usual is forgotten: the operator has seen the jump, if there was one. */
  resume(): void
}

/**
 * The lowest bid of two or more sources that agree.
 *
 * A rate is given only while at least two sources are fresh by their own time, all fresh ones agree,
 * and it has not jumped unconfirmed; there is no fallback. The sources are asked when a rate is
 * wanted and the last poll is too old; callers at the same time share one poll.
 */
export function compositeRate(options: CompositeRateOptions): CompositeRate {
  const { sources, now, pollSeconds = 30, retrySeconds = 5 } = options
  if (sources.length < 2) throw new Error('A composite rate needs at least two sources.')
  const { maxSpreadBps = 200, maxJumpBps = 300, band } = options
  const rules = { maxSpreadBps, maxJumpBps, windowSeconds: 300, band }
  const limits = { ...freshness, staleSeconds: options.staleSeconds ?? freshness.staleSeconds }

  let judgement: Judgement = nothingYet
  let polledAt: Date | undefined
  let polling: Promise<void> | undefined
  let paused = false

  const poll = async (): Promise<void> => {
    const readings = await Promise.all(sources.map(readingOf))
    const at = now()
    const fresh = readings
      .filter((reading) => reading !== undefined)
      .filter((reading) => isFresh(reading, at, limits))
    polledAt = at
    judgement = judge(judgement, fresh, at, rules)
  }
  const refresh = (): Promise<void> =>
    (polling ??= poll().finally(() => {
      polling = undefined
    }))
  const isDue = (at: Date): boolean => {
    if (!polledAt) return true
    const { good, lack } = judgement
    const isShort = good ? !isFresh(good, at, limits) : lack === 'too_few'
    const sinceMs = at.getTime() - polledAt.getTime()
    return sinceMs < 0 || sinceMs >= (isShort ? retrySeconds : pollSeconds) * 1000
  }
  return {
    async current() {
      if (!paused && isDue(now())) await refresh()
      if (paused) throw new Unavailable('rate_source', 'paused by an operator')
      const { good, lack } = judgement
      if (good && isFresh(good, now(), limits)) return good
      throw new Unavailable('rate_source', reasons[lack ?? 'too_few'])
    },
    refresh,
    pause() {
      paused = true
    },
    resume() {
      paused = false
      judgement = { ...judgement, jump: noHistory }
      polledAt = undefined
    },
  }
}

const reasons: Readonly<Record<Lack, string>> = {
  not_asked: 'no source was asked yet',
  too_few: 'fewer than two fresh sources',
  apart: 'the sources do not agree',
  out_of_band: 'the rate is out of its band',
  jump: 'the rate jumped and is not confirmed',
}

/** Undefined when the source has none. Any other failure than `Unavailable` is a bug and goes on. */
async function readingOf(source: RateSource): Promise<RateReading | undefined> {
  try {
    return await source.current()
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}
