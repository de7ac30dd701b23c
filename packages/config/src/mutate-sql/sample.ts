/** A few of the items, chosen by the seed; all of them when there are not more. They keep their order. */
export function sampleOf<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  const next = randomFrom(seed)
  const ranked = items.map((item, index) => ({ item, index, rank: next() }))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ item }) => item)
}

/** Mulberry32: 32 bits of state, which is enough to choose mutants. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
