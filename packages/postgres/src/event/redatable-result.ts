import type { Redated } from '@quipu/core/adapter'

/** What a function answers that logs the items of a batch. */
export type RedatableRow<Result extends string> = {
  /** Null when all are committed. */
  readonly results: readonly Result[] | null
  /** The later instants that some of them got; null when none did. */
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

/** The result of an item whose entry is durable, by the instant that was given and the one it has. */
export const durableResult = (given: Date, loggedAt: Date): 'committed' | Redated =>
  loggedAt > given ? { redatedTo: loggedAt } : 'committed'
