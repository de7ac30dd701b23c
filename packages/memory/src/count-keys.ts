import { keyIdOf } from '@quipu/core/adapter'
import type { KeyUse } from '@quipu/core/operator'

/** How many of these stored values each key has made, by the key's id. */
export function countKeys(stored: readonly string[]): readonly KeyUse[] {
  const counts = new Map<string, number>()
  for (const value of stored) counts.set(keyIdOf(value), (counts.get(keyIdOf(value)) ?? 0) + 1)
  return Array.from(counts, ([keyId, count]) => ({ keyId, count })).toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))
}
