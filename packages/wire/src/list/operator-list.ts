import type { ListName } from './cursor.ts'
import { parseList } from './filtered-list.ts'
import { queryMembers } from '../json/fields.ts'
import { type ListRequest, pageParameters } from './list.ts'
import type { Parsed } from '../json/parsed.ts'

/** The query of an operator's list. */
export const operatorListQuery = queryMembers(pageParameters)

/**
 * Reads the query of an operator's list.
 *
 * @param filters  path parameters that filter the list, such as the tenant
 */
export const parseOperatorList = (
  list: ListName,
  search: URLSearchParams | string,
  filters: Readonly<Record<string, string>> = {},
): Parsed<ListRequest> => parseList(operatorListQuery, [list, 'operator', filters], search)
