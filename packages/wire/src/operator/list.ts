import { cursorScope } from '../cursor.ts'
import { members } from '../fields.ts'
import { type ListRequest, pageParameters, parseQuery, readPage } from '../list.ts'
import { mapParsed, type Parsed } from '../parsed.ts'

/** The query of an operator's list. */
export const operatorListQuery = members(pageParameters, 'in the query')

/**
 * Reads the query of an operator's list.
 *
 * @param list  names the list, whose cursors are good for no other: `tenants`, `api_keys:ten_…`
 */
export function parseOperatorList(
  list: string,
  search: URLSearchParams | string,
): Parsed<ListRequest> {
  const parsed = parseQuery(operatorListQuery, search)
  if (!parsed.ok) return parsed
  const scope = cursorScope(list, 'operator')
  return mapParsed(readPage(parsed.value, scope), (query) => ({ query, scope }))
}
