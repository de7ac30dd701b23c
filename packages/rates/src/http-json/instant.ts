const unixTime = /^[1-9]\d{0,13}(?:\.\d+)?$/
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/** Smaller numbers are seconds (before the year 5138), others milliseconds (after 3 March 1973). */
const firstMilliseconds = 100_000_000_000

/**
 * Parses unix seconds, unix milliseconds, or ISO 8601 with a time zone.
 *
 * @returns undefined for other text, also for a time without a zone
 */
export function parseInstant(text: string): Date | undefined {
  if (unixTime.test(text)) {
    const time = Number(text)
    return new Date(Math.trunc(time < firstMilliseconds ? time * 1000 : time))
  }
  const at = isoInstant.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at)
}
