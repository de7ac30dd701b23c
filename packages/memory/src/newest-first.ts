import type { Page, PageQuery } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'

/** An index of positions, sorted on insertion. It holds no rows. */
export type NewestFirst = {
  add(position: PagePosition): void
  /**
   * One page of rows, newest first.
   *
   * @param rowAt reads a row by its id; undefined for a row that a filter excludes
   */
  page<T extends PagePosition>(
    query: PageQuery & { readonly from?: Date; readonly to?: Date },
    rowAt: (id: string) => T | undefined,
  ): Page<T>
}

type Positions = { oldestFirst: PagePosition[] }

/** The functions of every index. Shared, as the example server holds tens of thousands of indexes. */
const functions: NewestFirst & ThisType<Positions> = {
  add(position) {
    // A literal has no spare capacity, as `splice` would reserve, and most indexes stay at one position.
    if (this.oldestFirst.length === 0) this.oldestFirst = [position]
    else this.oldestFirst.splice(countBefore(this.oldestFirst, position), 0, position)
  },
  page({ limit, after, from, to }, rowAt) {
    const { oldestFirst } = this
    const end = Math.min(
      after === undefined ? oldestFirst.length : countBefore(oldestFirst, after),
      to === undefined ? oldestFirst.length : countBefore(oldestFirst, justAfter(to)),
    )
    const start = from === undefined ? 0 : countBefore(oldestFirst, { createdAt: from, id: '' })
    const items = []
    for (let i = end - 1; i >= start; i--) {
      const row = rowAt(oldestFirst[i]?.id ?? '')
      if (row === undefined) continue
      const last = items.at(-1)
      if (items.length === limit && last !== undefined)
        return { items, next: { createdAt: last.createdAt, id: last.id } }
      items.push(row)
    }
    return { items, next: null }
  },
}

export const newestFirst = (): NewestFirst =>
  Object.assign(Object.create(functions) as NewestFirst, { oldestFirst: [] })

const compare = (a: PagePosition, b: PagePosition): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Sorts after every row of that millisecond. */
const justAfter = (at: Date): PagePosition => ({ createdAt: new Date(at.getTime() + 1), id: '' })

/** The number of positions before this one. Rows mostly arrive in order, so compare with the last first. */
function countBefore(sorted: readonly PagePosition[], position: PagePosition): number {
  const last = sorted.at(-1)
  if (last === undefined || compare(last, position) < 0) return sorted.length
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const at = sorted[middle]
    if (at !== undefined && compare(at, position) < 0) low = middle + 1
    else high = middle
  }
  return low
}
