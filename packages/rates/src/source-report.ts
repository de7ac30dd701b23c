import { type RateSource, Unavailable } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import type { SourceReport } from '@quipu/core/operator'

/** The error of a source without a usable reading, with what an operator is shown about it. */
export const sourceUnavailable = (
  name: string,
  problem: string,
  reading: RateReading | null,
  cause?: unknown,
): Unavailable & { readonly report: SourceReport } =>
  Object.assign(new Unavailable('rate_source', `${name}: ${problem}`, { cause }), {
    report: { name, reading, problem },
  })

const hasReport = (error: Unavailable): error is ReturnType<typeof sourceUnavailable> => 'report' in error

/** Reads a source. An error other than `Unavailable` is a bug, and is thrown. @param name  when it gives none */
export async function reportOf(source: RateSource, name: string): Promise<SourceReport> {
  try {
    const reading = await source.current()
    return { name: reading.source, reading, problem: null }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return hasReport(error) ? error.report : { name, reading: null, problem: error.message }
  }
}
