import type { Redated } from '@quipu/core/adapter'

/** The row of a function that adds the items of a batch to the log. */
export type RedatableRow<Result extends string> = {
  /** Null when all items are committed. */
  readonly results: readonly Result[] | null
  /** The instants of entries that are later than the given ones; null when there is none. */
  readonly redated_tos: readonly (Date | null)[] | null
}

/** The item's result; undefined when the row lacks it. */
export function redatableResult<Result extends string>(
  { results, redated_tos }: RedatableRow<Result>,
  place: number,
): Result | 'committed' | Redated | undefined {
  const redatedTo = redated_tos?.[place]
  if (redatedTo) return { redatedTo }
  return results === null ? 'committed' : results[place]
}

/** The result of an item whose entry was read back: redated if its instant is later than the given one. */
export const durableResult = (given: Date, loggedAt: Date): 'committed' | Redated =>
  loggedAt > given ? { redatedTo: loggedAt } : 'committed'
