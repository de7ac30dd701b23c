import { Unavailable } from '../unavailable.ts'
import type { RateReading, RateReport, RateSource } from './ports.ts'

/** The present answer of a source of the rate. */
export type RatesNow = {
  readonly report: RateReport
  /** Null when there is none. */
  readonly rate: RateReading | null
  /** Why there is no rate; null when there is one. */
  readonly problem: string | null
}

/** Asks a source of the rate for everything that an operator is shown. */
export async function ratesNow(rates: RateSource): Promise<RatesNow> {
  const current = await rates.current().then(
    (rate) => ({ rate, problem: null }),
    (error: unknown) => {
      if (error instanceof Unavailable) return { rate: null, problem: error.message }
      throw error
    },
  )
  return { ...current, report: (await rates.report?.()) ?? { sources: [], agreement: null } }
}
