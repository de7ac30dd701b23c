type Page = { readonly data: readonly unknown[]; readonly next_cursor: string | null }

/** A list. `for await` iterates over all items; `page()` reads one page, `whole()` all. */
export type Pages<P extends Page> = AsyncIterable<P['data'][number]> & {
  /** Reads the page at the query's `cursor`, or the first. Its `next_cursor` is the cursor of the next. */
  page(): Promise<P>
  /** Reads all pages as one: the members of the first, all items, and no `next_cursor`. */
  whole(): Promise<P>
}

/** @param read  reads the page at a cursor; without one, at the query's own */
export const pages = <P extends Page>(read: (cursor?: string) => Promise<P>): Pages<P> => ({
  page: () => read(),
  async whole() {
    const first = await read()
    const data: unknown[] = [...first.data]
    for (let page = first; page.next_cursor !== null;) {
      page = await read(page.next_cursor)
      data.push(...page.data)
    }
    return { ...first, data, next_cursor: null }
  },
  async *[Symbol.asyncIterator]() {
    let page = await read()
    yield* page.data
    while (page.next_cursor !== null) {
      page = await read(page.next_cursor)
      yield* page.data
    }
  },
})
