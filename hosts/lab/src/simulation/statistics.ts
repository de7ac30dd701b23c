/** How often something was reached. */
export type Statistics = { count(name: string, by?: number): void; readonly counts: ReadonlyMap<string, number> }

export function statistics(): Statistics {
  const counts = new Map<string, number>()
  return { counts, count: (name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by) }
}
