import type { PageQuery } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestFirst } from './newest-first.ts'

/** Few instants, so that many rows share one. The id begins with a letter to filter by. */
const row: fc.Arbitrary<PagePosition> = fc.record({
  createdAt: fc.integer({ min: 0, max: 5 }).map((ms) => new Date(ms)),
  id: fc.stringMatching(/^[A-C][0-9]$/),
})
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 20 })
const instant = fc.integer({ min: -1, max: 6 }).map((ms) => new Date(ms))
const query: fc.Arbitrary<PageQuery & { from?: Date; to?: Date }> = fc.record(
  { limit: fc.integer({ min: 1, max: 6 }), after: row, from: instant, to: instant },
  { requiredKeys: ['limit'] },
)

const isOlder = (a: PagePosition, b: PagePosition): boolean =>
  a.createdAt < b.createdAt || (a.createdAt.getTime() === b.createdAt.getTime() && a.id < b.id)

test('a page equals sorting and filtering all rows', () => {
  fc.assert(
    fc.property(rows, query, fc.constantFrom('A', 'B', '-'), (rows, query, hidden) => {
      const places = newestFirst()
      for (const each of rows) places.add(each)
      const { limit, after, from, to } = query
      const wanted = rows
        .filter(({ id }) => !id.startsWith(hidden))
        .filter(({ createdAt }) => from === undefined || createdAt >= from)
        .filter(({ createdAt }) => to === undefined || createdAt <= to)
        .filter((each) => after === undefined || isOlder(each, after))
        .toSorted((a, b) => (isOlder(a, b) ? 1 : -1))

      const page = places.page(query, (id) => (id.startsWith(hidden) ? undefined : rows.find((each) => each.id === id)))

      const items = wanted.slice(0, limit)
      expect(page).toEqual({ items, next: wanted.length > limit ? items.at(-1) : null })
    }),
    { numRuns: 500 },
  )
})
