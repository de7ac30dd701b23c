import { expect } from 'vitest'
import type { Page, PageQuery, Position } from '@quipu/core'

/** Sorted as every list is: by creation and then by id, the newest first. */
export const newestFirst = <T extends Position>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))

/** Every page of a list, from the first to the one that says it is the last. */
export async function allPages<T>(
  list: (query: PageQuery) => Promise<Page<T>>,
  limit: number,
): Promise<T[][]> {
  const pages = []
  let after: Position | undefined
  do {
    const page = await list({ limit, ...(after && { after }) })
    pages.push([...page.items])
    after = page.next ?? undefined
  } while (after !== undefined)
  return pages
}

/** Expects exactly these rows, newest first, each once and no page empty, whatever the limit. */
export async function expectPages<T extends Position>(
  rows: readonly T[],
  list: (query: PageQuery) => Promise<Page<T>>,
): Promise<void> {
  for (const limit of new Set([1, 2, 3, rows.length, rows.length + 1])) {
    const pages = await allPages(list, limit)
    expect(pages.flat()).toEqual(newestFirst(rows))
    expect(pages.map((page) => page.length)).toEqual(sizes(rows.length, limit))
  }
}

const sizes = (count: number, limit: number): number[] =>
  Array.from({ length: Math.ceil(count / limit) }, (_, i) => Math.min(limit, count - i * limit))
