import type { PageQuery } from '@quipu/core'
import type { z } from 'zod'
import { type CursorScope, cursorScope, type ListName } from './cursor.ts'
import { instant } from '../json/fields.ts'
import { ceilToMs, compareInstants, floorToMs, parseInstant } from '../json/instant.ts'
import { pageParameters, readPage } from './list.ts'
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

type PeriodParameters = z.output<z.ZodObject<typeof periodParameters>>

/** Both inclusive, in whole milliseconds. */
export type Period = { readonly from?: Date; readonly to?: Date }

export type FilteredList<Filters> = {
  /** All parameters but those of period and page. */
  readonly filters: Filters
  readonly page: PageQuery & Period
  readonly scope: CursorScope
}

/**
 * Reads the query of a list with filters. Its cursors are valid for that owner and those filters only.
 *
 * @param schema  the parameters of the period and of the list
 * @param owner  the tenant, or `operator`
 */
export function parseFilteredList<S extends z.ZodObject<typeof periodParameters>>(
  schema: S,
  [list, owner]: readonly [list: ListName, owner: string],
  search: URLSearchParams | string,
  ...rules: readonly Rule[]
): Parsed<FilteredList<Omit<z.output<S>, keyof PeriodParameters>>> {
  const parsed = parseQuery(schema, search, inOrder, ...rules)
  if (!parsed.ok) return parsed
  const { from, to, limit, cursor, ...filters } = parsed.value
  const period = { ...bound('from', from, ceilToMs), ...bound('to', to, floorToMs) }
  const scope = cursorScope(list, owner, {
    ...(filters as Record<string, string | Record<string, string>>),
    ...Object.fromEntries(Object.entries(period).map(([name, at]) => [name, at.toISOString()])),
  })
  return mapParsed(readPage({ limit, cursor }, scope), (page) => ({ filters, page: { ...page, ...period }, scope }))
}

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
