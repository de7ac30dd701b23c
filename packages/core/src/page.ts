/** A position in a newest-first list: the last row of a page. */
export type PagePosition = { readonly createdAt: Date; readonly id: string }

/** Which page of a newest-first list to read. */
export type PageQuery = {
  /** At least 1. */
  readonly limit: number
  /** Rows older than this. */
  readonly after?: PagePosition
}

/** One page of a newest-first list; `next` is null on the last one. */
export type Page<T> = { readonly items: readonly T[]; readonly next: PagePosition | null }
