/**
 * Repeats a check at each call until it has passed once. Concurrent calls share one check.
 *
 * @returns await it before each use of what is checked; it rejects with the error of the check
 */
export function onceChecked(check: () => Promise<void>): () => Promise<void> {
  let passing: Promise<void> | undefined
  return () =>
    (passing ??= check().catch((error: unknown) => {
      passing = undefined
      throw error
    }))
}
