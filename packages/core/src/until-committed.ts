import { Unavailable } from './unavailable.ts'

/** Far more writes than meet on one row: a store that is never satisfied has another fault. */
const attemptsMax = 1_000

/**
 * Attempts a change again while another write came first.
 *
 * @param attempt  reads, decides and commits; `stale` when what it read has changed
 * @throws Unavailable when the store takes none of `attemptsMax` attempts
 */
export async function untilCommitted<Result>(attempt: () => Promise<Result | 'stale'>): Promise<Result> {
  for (let count = 0; count < attemptsMax; count++) {
    const result = await attempt()
    if (result !== 'stale') return result
  }
  throw new Unavailable('store', `it took none of ${attemptsMax} attempts of a change`)
}
