/** A wait whose state has not changed for so long is not merely slow. */
const stillMs = 300_000
/** Ends a wait whose state changes without end. */
const limitMs = 900_000

/**
 * Ends a wait that will not be met. A number of seconds from its beginning would end it on a busy machine as well.
 *
 * @returns whether the wait is over; called again and again with the state of what it waits for
 */
export function stillness(now: () => number = () => performance.now()): (state: string) => boolean {
  const startedAt = now()
  let last: string | undefined
  let movedAt = startedAt
  return (state) => {
    if (state !== last) [last, movedAt] = [state, now()]
    return now() - movedAt >= stillMs || now() - startedAt >= limitMs
  }
}
