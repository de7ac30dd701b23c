import type { Commit, Redated } from '@quipu/core'

/** What a write that ends a payout comes to. */
export type EndingResult = 'committed' | 'stale' | Redated

/** What the functions that end payouts answer. */
export type EndingRow = {
  /** Null when all are committed. */
  readonly results: readonly ('committed' | 'stale')[] | null
  /** The later instants that some of them got; null when none did. */
  readonly redated_tos: readonly (Date | null)[] | null
}

export function endingResult(
  { results, redated_tos }: EndingRow,
  place: number,
): EndingResult | undefined {
  const redatedTo = redated_tos?.[place]
  if (redatedTo) return { redatedTo }
  return results === null ? 'committed' : results[place]
}

/** The results of those items of a batch whose ends are durable. */
export function durableEndings<Item extends Exclude<Commit, { kind: 'apply' }>>(
  items: readonly Item[],
  rows: readonly { readonly place: number; readonly ended_at: Date }[],
): ReadonlyMap<Item, EndingResult> {
  return new Map(
    rows.flatMap(({ place, ended_at: endedAt }) => {
      const item = items[place]
      if (item === undefined) return []
      const isRedated = endedAt > item.step.payout.endedAt
      return [[item, isRedated ? { redatedTo: endedAt } : 'committed']]
    }),
  )
}
