import type { Clock, RateSource } from '@quipu/core'

/** Several scrapes and the watch share one request to each source. */
const maxAgeMs = 15_000

/** The source of the rate, asked at most once in `maxAgeMs` for its rate and once for its report. */
export const rateReader = (source: RateSource, now: Clock): RateSource => ({
  current: remembered(() => source.current(), now),
  report: remembered(async () => (await source.report?.()) ?? { sources: [], agreement: null }, now),
})

function remembered<T>(read: () => Promise<T>, now: Clock): () => Promise<T> {
  let latest: { readonly at: number; readonly reading: Promise<T> } | undefined
  return () => {
    const at = now().getTime()
    if (latest === undefined || Math.abs(at - latest.at) >= maxAgeMs) {
      latest = { at, reading: read() }
      latest.reading.catch(() => undefined) // The caller that awaits it handles it.
    }
    return latest.reading
  }
}
