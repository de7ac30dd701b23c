/**
 * Runs a check before the first use of what it guards, and again before each further one until it
 * has passed once. Uses that come together wait for one check.
 *
 * @returns what is to be awaited before each use; throws what the check throws
 */
export function onceChecked(check: () => Promise<void>): () => Promise<void> {
  let passing: Promise<void> | undefined
  return () =>
    (passing ??= check().catch((error: unknown) => {
      passing = undefined
      throw error
    }))
}
