import { authorized, type Operator } from '../access/operator.ts'
import type { Clock } from '../time.ts'
import { ratesNow } from './rates-now.ts'
import type { QuotingStore, RateReading, RateReport, RateSource } from './ports.ts'
import type { Quoting } from './quoting.ts'

/** The ports of `manageQuoting`. */
export type ManageQuotingPorts = { readonly quoting: QuotingStore; readonly rates: RateSource; readonly now: Clock }

/** The rate that quotes use, and what is behind it. */
export type QuotingReport = RateReport & {
  /** When it was read. */
  readonly at: Date
  readonly quoting: Quoting
  /** The rate of the source, also while quoting is paused; null when there is none. */
  readonly rate: RateReading | null
  /** Why there is no rate; null when there is one. */
  readonly problem: string | null
}

/** An operator's control of quoting. */
export type ManageQuoting = {
  report(): Promise<QuotingReport>
  /** Refuses new quotes from now on, in every process. Does nothing while quoting is paused. */
  pause(operator: Operator, reason: string): Promise<Quoting>
  /** Gives quotes again. Does nothing while quoting is open. */
  resume(operator: Operator): Promise<Quoting>
}

/**
 * Shows the rate, and pauses and resumes quoting. Every method throws `Unavailable` when the store cannot be
 * reached, `pause` and `resume` throw `Unauthorized` without the active token of an operator.
 *
 * @example
 * ```ts
 * const quoting = manageQuoting(ports)
 * const { status } = await quoting.pause(ana, 'The sources are wrong.')
 * const { rate } = await quoting.report()
 * console.log(status, rate?.bid) // paused 99500n
 * await quoting.resume(ana)
 * ```
 */
export function manageQuoting(ports: ManageQuotingPorts): ManageQuoting {
  const { quoting, rates, now } = ports
  return {
    report: async () => {
      const { report, ...current } = await ratesNow(rates)
      return { at: now(), quoting: await quoting.get(), ...current, ...report }
    },
    pause: async (operator, reason) => {
      const change = { by: operator.person, at: now(), reason }
      authorized(await quoting.set('paused', change, operator))
      return quoting.get()
    },
    resume: async (operator) => {
      const change = { by: operator.person, at: now(), reason: null }
      authorized(await quoting.set('open', change, operator))
      return quoting.get()
    },
  }
}
