/** A place in a newest-first list: the last row that was seen. */
export type PagePosition = { readonly createdAt: Date; readonly id: string }

export type PageQuery = {
  /** At least 1. */
  readonly limit: number
  /** Rows older than this. */
  readonly after?: PagePosition
}

/** `next` is null on the last page. */
export type Page<T> = { readonly items: readonly T[]; readonly next: PagePosition | null }
