export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = low] = sorted.length % 2 === 1 ? [sorted[middle]] : [sorted[middle - 1], sorted[middle]]
  return (low + high) / 2
}

/** @param share  0.5 for p50, 0.99 for p99 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Events a second, without the first quarter, which is the warm-up. */
export function warmPerSecond(instantsMs: readonly number[]): number {
  const warm = instantsMs.toSorted((a, b) => a - b).slice(instantsMs.length / 4)
  return (warm.length * 1_000) / ((warm.at(-1) ?? 0) - (warm[0] ?? 0))
}
