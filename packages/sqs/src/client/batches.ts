/** SQS takes at most ten entries in one request. */
export const batchSize = 10

export function batchesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const batches: T[][] = []
  for (let i = 0; i < items.length; i += batchSize) batches.push(items.slice(i, i + batchSize))
  return batches
}

/** Numbers the entries of a batch: the response names them by `Id`. */
export const numbered = <T, E extends object>(batch: readonly T[], entryOf: (item: T) => E): (E & { Id: string })[] =>
  batch.map((item, i) => ({ Id: String(i), ...entryOf(item) }))

/** The response to a batch of any kind. */
export type BatchResponse = {
  readonly Successful?: readonly { readonly Id: string | undefined }[] | undefined
  readonly Failed?:
    | readonly {
        readonly Id: string | undefined
        readonly Code: string | undefined
        readonly Message?: string | undefined
      }[]
    | undefined
}

/** The items of a batch that the response does not list as successful, and the first reason. */
export function refusedOf<T>(
  batch: readonly T[],
  response: BatchResponse,
): { readonly items: readonly T[]; readonly reason: string | undefined } {
  const done = new Set(response.Successful?.map(({ Id }) => Id))
  const [failed] = response.Failed ?? []
  const items = batch.filter((_, i) => !done.has(String(i)))
  if (items.length === 0) return { items, reason: undefined }
  const reason = failed ? `${failed.Code}: ${failed.Message ?? ''}` : 'not in the response'
  return { items, reason }
}
