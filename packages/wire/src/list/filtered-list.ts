import type { PageQuery } from '@quipu/core'
import type { z } from 'zod'
import { type CursorScope, cursorScope, type ListName } from './cursor.ts'
import { type CoreName, coreName } from '../json/core-name.ts'
import { instant } from '../json/fields.ts'
import { ceilToMs, compareInstants, floorToMs, parseInstant } from '../json/instant.ts'
import { type ListRequest, pageParameters, readPage } from './list.ts'
import { parseQuery } from '../json/query.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'

/**
 * The parameters of a list that is filtered by time.
 *
 * @param happened  names the instant that the list is filtered by
 * @source spec §4: both inclusive, with a zone
 */
export const periodOf = (happened: 'Created' | 'Recorded') => ({
  from: instant.meta({ description: `${happened} at or after.`, examples: ['2026-11-01T00:00:00Z'] }).optional(),
  to: instant
    .meta({ description: `${happened} at or before.`, examples: ['2026-11-30T23:59:59.999-04:00'] })
    .optional(),
  ...pageParameters,
})

export const periodParameters = periodOf('Created')

/** Both inclusive, in whole milliseconds. */
export type Period = { readonly from?: Date; readonly to?: Date }

type Parameters<S extends z.ZodObject> = Omit<z.output<S>, keyof typeof periodParameters>

/** The parameters of a list but those of period and page, by the names of the core. */
export type Filters<S extends z.ZodObject> = {
  readonly [Name in keyof Parameters<S> & string as CoreName<Name>]?: Exclude<Parameters<S>[Name], undefined>
}

export type FilteredList<S extends z.ZodObject> = {
  /** The ones that the query has. */
  readonly filters: Filters<S>
  readonly page: PageQuery & Period
  readonly scope: CursorScope
}

/** The list, its owner, which is a tenant or `operator`, and what its path filters by. */
type Listed = readonly [list: ListName, owner: string, path?: Readonly<Record<string, string>>]

/**
 * Reads the query of a list with filters. Its cursors are valid for that owner and those filters only.
 *
 * @param schema  the parameters of page and list, and of the period where it has one
 */
export function parseFilteredList<S extends z.ZodObject<typeof pageParameters>>(
  schema: S,
  [list, owner, path]: Listed,
  search: URLSearchParams | string,
  ...rules: readonly Rule[]
): Parsed<FilteredList<S>> {
  const parsed = parseQuery(schema, search, inOrder, ...rules)
  if (!parsed.ok) return parsed
  const { from, to, limit, cursor, ...given } = parsed.value as z.output<S> & PeriodParameters
  const period = { ...bound('from', from, ceilToMs), ...bound('to', to, floorToMs) }
  const filters = Object.entries(given).filter(([, value]) => value !== undefined)
  const scope = cursorScope(list, owner, {
    ...path,
    ...(Object.fromEntries(filters) as Record<string, string | Record<string, string>>),
    ...Object.fromEntries(Object.entries(period).map(([name, at]) => [name, at.toISOString()])),
  })
  return mapParsed(readPage({ limit, cursor }, scope), (page) => ({
    filters: Object.fromEntries(filters.map(([name, value]) => [coreName(name), value])) as Filters<S>,
    page: { ...page, ...period },
    scope,
  }))
}

type PeriodParameters = z.output<z.ZodObject<typeof periodParameters>>

/** Reads the query of a list whose filters are those of the core's query. */
export const parseList = <S extends z.ZodObject<typeof pageParameters>>(
  schema: S,
  listed: Listed,
  search: URLSearchParams | string,
): Parsed<ListRequest<PageQuery & Period & Filters<S>>> =>
  mapParsed(parseFilteredList(schema, listed, search), ({ filters, page, scope }) => ({
    query: { ...page, ...filters },
    scope,
  }))

function bound<Name extends 'from' | 'to'>(
  name: Name,
  text: string | undefined,
  round: typeof ceilToMs,
): { [N in Name]?: Date } {
  const at = text === undefined ? undefined : parseInstant(text)
  return (at ? { [name]: round(at) } : {}) as { [N in Name]?: Date }
}

const inOrder: Rule = ({ from, to }) => {
  const [first, last] = [parseInstant(String(from)), parseInstant(String(to))]
  return first && last && compareInstants(first, last) > 0 ? [{ field: 'from', message: 'must not be after to' }] : []
}
