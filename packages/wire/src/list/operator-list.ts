import { cursorScope, type ListName } from './cursor.ts'
import { members } from '../json/fields.ts'
import { type ListRequest, pageParameters, readPage } from './list.ts'
import { parseQuery } from '../json/query.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'

/** The query of an operator's list. */
export const operatorListQuery = members(pageParameters, 'in the query')

/**
 * Reads the query of an operator's list.
 *
 * @param filters  path parameters that filter the list, such as the tenant
 */
export function parseOperatorList(
  list: ListName,
  search: URLSearchParams | string,
  filters: Readonly<Record<string, string>> = {},
): Parsed<ListRequest> {
  const parsed = parseQuery(operatorListQuery, search)
  if (!parsed.ok) return parsed
  const scope = cursorScope(list, 'operator', filters)
  return mapParsed(readPage(parsed.value, scope), (query) => ({ query, scope }))
}
