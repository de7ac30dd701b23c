import type { PageQuery } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'
import { expect } from 'vitest'
import type { Parsed } from '../json/parsed.ts'
import { type CursorScope, encodeCursor } from './cursor.ts'
import { pageLimit } from './list.ts'

type ReadList<Query> = (search: string) => Parsed<{ readonly query: Query; readonly scope: CursorScope }>

/** The query that a list reads from this text, which it must accept. */
export function queryOf<Query>(read: ReadList<Query>, search: string): Query {
  return accepted(read, search).query
}

function accepted<Query>(read: ReadList<Query>, search: string) {
  const parsed = read(search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.value
}

/** The issues of a text, each as one line. */
export function issuesOf(parsed: Parsed<unknown>): readonly string[] {
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
}

/** A cursor of each of these queries continues its own list, and none of the others. */
function expectBoundCursors(read: ReadList<PageQuery>, searches: readonly string[], id: string): void {
  const after: PagePosition = { createdAt: new Date('2026-11-20T15:04:05.000Z'), id }
  for (const search of searches) {
    const cursor = encodeCursor(after, accepted(read, search).scope)
    const continued = searches.filter((each) => read(`${each}&cursor=${cursor}`).ok)
    expect(continued).toEqual([search])
    expect(queryOf(read, `${search}&cursor=${cursor}&limit=7`)).toMatchObject({ after, limit: 7 })
  }
}

/** The searches have every filter of the list and are read as these filters, and the cursors of each continue it alone. @param filters  by search */
export function expectFilters(read: ReadList<PageQuery>, filters: Readonly<Record<string, object>>, id: string): void {
  const given = Object.keys(filters).flatMap((search) => Array.from(new URLSearchParams(search).keys()))
  const allowed = /allowed are (.+)/.exec(issuesOf(read('other=1')).join('\n'))?.[1]?.split(', ') ?? []
  expect(new Set(['limit', 'cursor', ...given.map((name) => name.split('[')[0])])).toEqual(new Set(allowed))
  for (const [search, query] of Object.entries(filters))
    expect(queryOf(read, search)).toEqual({ limit: pageLimit.default, ...query })
  expectBoundCursors(read, Object.keys(filters), id)
}

/** A search by each word of a member. */
export const byWord = (name: string, words: readonly string[], member: string = name): Record<string, object> =>
  Object.fromEntries(words.map((word) => [`${name}=${word}`, { [member]: word }]))
