import { oneOf, queryMembers } from '../json/fields.ts'
import type { Issue, Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'

/** The parameter that every list of operators and every statement takes. */
export const formatParameter = {
  format: oneOf(['json', 'csv'])
    .optional()
    .meta({
      description:
        '`csv`: all that the filters leave, without pages, streamed. Without `format`, the header `Accept: text/csv` selects it.',
    }),
}

/** Which format a caller asked for; undefined where only its header `Accept` says so. */
export type Format = 'json' | 'csv' | undefined

/** A query of a list that is also answered as CSV. */
export type Formatted<List> = { readonly format: Format; readonly list: List }

const formatQuery = queryMembers(formatParameter)
const isFormat = (pair: string): boolean => /^format(?:=|$)/.test(pair)

/** Reads the query of a list that is also answered as CSV. @param parse  reads the other parameters */
export function parseFormatted<List>(search: string, parse: (search: string) => Parsed<List>): Parsed<Formatted<List>> {
  const pairs = search === '' ? [] : search.split('&')
  const format = parseQuery(formatQuery, pairs.filter(isFormat).join('&'))
  const others = pairs.filter((pair) => !isFormat(pair)).join('&')
  const list = parse(others)
  const paged = format.ok && format.value.format === 'csv' ? pagesOf(others) : []
  if (format.ok && list.ok && paged.length === 0)
    return { ok: true, value: { format: format.value.format, list: list.value } }
  const issues = [format, list].flatMap((parsed) => (parsed.ok ? [] : parsed.issues))
  return { ok: false, issues: [...issues, ...paged] }
}

/** CSV is the whole list. */
const pagesOf = (search: string): readonly Issue[] => {
  const parameters = new URLSearchParams(search)
  return ['limit', 'cursor']
    .filter((field) => parameters.has(field))
    .map((field) => ({ field, message: 'must be left out with format=csv' }))
}
