const unixTime = /^[1-9]\d{0,13}(?:\.\d+)?$/
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/** Below this it counts seconds, and from here on milliseconds: the year 5138, or 3 March 1973. */
const firstMilliseconds = 100_000_000_000

/**
 * Reads unix seconds, unix milliseconds, or an ISO 8601 instant with its zone.
 *
 * @returns undefined when it is none of these: a time without a zone could be any of 24
 */
export function parseInstant(text: string): Date | undefined {
  if (unixTime.test(text)) {
    const time = Number(text)
    return new Date(Math.trunc(time < firstMilliseconds ? time * 1000 : time))
  }
  const at = isoInstant.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at)
}
