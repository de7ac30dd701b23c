import type { Monotonic } from './time.ts'

/** Reads at most once in `maxAgeMs`, however often and by however many it is called. A reading that fails is not kept. */
export function recentReading<T>(read: () => Promise<T>, maxAgeMs: number, monotonic: Monotonic): () => Promise<T> {
  let newest: { readonly at: number; readonly reading: Promise<T> } | undefined
  return () => {
    if (newest && monotonic() - newest.at < maxAgeMs) return newest.reading
    const begun = { at: monotonic(), reading: read() }
    newest = begun
    begun.reading.catch(() => {
      if (newest === begun) newest = undefined
    })
    return begun.reading
  }
}
