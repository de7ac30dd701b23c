/** So many entries fit in one request. */
export const batchSize = 10

export function batchesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const batches: T[][] = []
  for (let i = 0; i < items.length; i += batchSize) batches.push(items.slice(i, i + batchSize))
  return batches
}

/** Numbers the entries of a batch, since its answer names them by `Id`. */
export const numbered = <T, E extends object>(
  batch: readonly T[],
  entryOf: (item: T) => E,
): (E & { Id: string })[] => batch.map((item, i) => ({ Id: String(i), ...entryOf(item) }))

/** What the server answers to a batch, of whatever kind. */
export type BatchAnswer = {
  readonly Successful?: readonly { readonly Id: string | undefined }[] | undefined
  readonly Failed?:
    | readonly { readonly Code: string | undefined; readonly Message?: string | undefined }[]
    | undefined
}

/** Which of a batch the server does not say it has done, and the first reason why. */
export function refusedOf<T>(
  batch: readonly T[],
  answer: BatchAnswer,
): { readonly items: readonly T[]; readonly reason: string | undefined } {
  const done = new Set(answer.Successful?.map(({ Id }) => Id))
  const [failed] = answer.Failed ?? []
  const items = batch.filter((_, i) => !done.has(String(i)))
  if (items.length === 0) return { items, reason: undefined }
  const reason = failed ? `${failed.Code}: ${failed.Message ?? ''}` : 'not in the answer'
  return { items, reason }
}
