import { type Clock, type Rate, type RateSource, Unavailable } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import type { RateReport, SourceReport } from '@quipu/core/operator'
import { freshness, isFresh } from '../freshness.ts'
import { reportOf } from '../source-report.ts'
import { bpsAbove } from './bps.ts'
import { evaluatePoll, type PollState, type Rejection, initialState } from './evaluate-poll.ts'

/** The sources of a composite, and the rules by which their rates agree. */
export type CompositeRateOptions = {
  /** Two or more sources with different names, each with its own deadline. */
  readonly sources: readonly RateSource[]
  readonly now: Clock
  /** Maximum spread between the highest and the lowest bid; 200 by default. */
  readonly maxSpreadBps?: number
  /** Maximum age of a reading by its source's time; `rateAgeSeconds.max` by default. */
  readonly staleSeconds?: number
  /** Maximum unconfirmed difference from the median of the last five minutes; 300 by default. */
  readonly maxJumpBps?: number
  /** How long the result of a poll is used; 30 by default. */
  readonly pollSeconds?: number
  /** As `pollSeconds`, after a poll with too few sources; 5 by default. */
  readonly retrySeconds?: number
  /** Plausible bids, both ends included; any by default. */
  readonly band?: { readonly min: Rate; readonly max: Rate }
}

/** A source of rates that checks several others. */
export type CompositeRate = Required<RateSource> & {
  /** Polls the sources now. A host that calls it every `pollSeconds` keeps quotes from waiting. */
  refresh(): Promise<void>
}

/**
 * The lowest bid of two or more sources that agree.
 *
 * `current` gives a rate only if at least two sources are fresh by their own time, all fresh ones
 * agree, and no jump is unconfirmed; there is no fallback. It polls the sources if the last poll is
 * too old; concurrent callers share one poll.
 */
export function compositeRate(options: CompositeRateOptions): CompositeRate {
  const { sources, now, pollSeconds = 30, retrySeconds = 5 } = options
  if (sources.length < 2) throw new Error('A composite rate needs at least two sources.')
  const { maxSpreadBps = 200, maxJumpBps = 300, band } = options
  const rules = { maxSpreadBps, maxJumpBps, windowSeconds: 300, band }
  const limits = { ...freshness, staleSeconds: options.staleSeconds ?? freshness.staleSeconds }

  let state: PollState = initialState
  let polledAt: Date | undefined
  let polling: Promise<void> | undefined
  let report: RateReport = { sources: [], agreement: null }

  const poll = async (): Promise<void> => {
    const reports = sources.map((source, index) => reportOf(source, `source ${index + 1}`))
    const readings = await Promise.all(reports)
    const at = now()
    const polled = readings.map((each) => (each.reading && !isFresh(each.reading, at, limits) ? stale(each) : each))
    const fresh = usableReadings(polled)
    polledAt = at
    state = evaluatePoll(state, fresh, at, rules)
    report = { sources: polled, agreement: agreementOf(fresh, maxSpreadBps) }
  }
  const refresh = (): Promise<void> =>
    (polling ??= poll().finally(() => {
      polling = undefined
    }))
  const isDue = (at: Date): boolean => {
    if (!polledAt) return true
    const { reading, rejection } = state
    const isIncomplete = reading ? !isFresh(reading, at, limits) : rejection === 'too_few'
    const sinceMs = at.getTime() - polledAt.getTime()
    return sinceMs < 0 || sinceMs >= (isIncomplete ? retrySeconds : pollSeconds) * 1000
  }
  return {
    async current() {
      if (isDue(now())) await refresh()
      const { reading, rejection } = state
      if (reading && isFresh(reading, now(), limits)) return reading
      throw new Unavailable('rate_source', reasons[rejection ?? 'too_few'])
    },
    async report() {
      if (isDue(now())) await refresh()
      return report
    },
    refresh,
  }
}

const reasons: Readonly<Record<Rejection, string>> = {
  not_polled: 'no source was polled yet',
  too_few: 'fewer than two fresh sources',
  disagreement: 'the sources disagree',
  out_of_band: 'the rate is outside its band',
  jump: 'the rate jumped and is not confirmed',
}

const stale = (report: SourceReport): SourceReport => ({ ...report, problem: report.problem ?? 'stale or future time' })

const usableReadings = (reports: readonly SourceReport[]): readonly RateReading[] =>
  reports.flatMap(({ reading, problem }) => (reading && problem === null ? [reading] : []))

function agreementOf(fresh: readonly RateReading[], maxSpreadBps: number): RateReport['agreement'] {
  const bids = fresh.map(({ bid }) => bid).toSorted((a, b) => (a < b ? -1 : 1))
  const [lowest, highest] = [bids[0], bids.at(-1)]
  if (lowest === undefined || highest === undefined || bids.length < 2) return null
  return { spreadBps: bpsAbove(highest, lowest), maxSpreadBps }
}
