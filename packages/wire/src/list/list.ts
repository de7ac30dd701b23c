import type { Page, PageQuery } from '@quipu/core'
import { z } from 'zod'
import type { ZodOpenApiOverrideMeta } from 'zod-openapi'
import { cursor, cursorRule, type CursorScope, decodeCursor, encodeCursor, exampleCursor } from './cursor.ts'
import { matching } from '../json/fields.ts'
import type { Parsed } from '../json/parsed.ts'

/** A page to read, and the list that its `next_cursor` is valid for. */
export type ListRequest<Q extends PageQuery = PageQuery> = { readonly query: Q; readonly scope: CursorScope }

/** Items on a page. @source spec §8 List page size */
export const pageLimit = { max: 100, default: 50 } as const

/** A query parameter is text; the document describes the number. */
const asInteger =
  (about: object): ZodOpenApiOverrideMeta =>
  ({ jsonSchema }) => {
    delete jsonSchema.pattern
    Object.assign(jsonSchema, { type: 'integer', ...about })
  }

/** The text of a whole number above 0 in a query. @param about  more members of its schema */
export const wholeNumber = (maximum: number, about: object = {}): z.ZodString =>
  matching(/^[1-9][0-9]*$/, `must be a whole number from 1 to ${maximum}`)
    .refine((digits) => Number(digits) <= maximum)
    .meta({ override: asInteger({ minimum: 1, maximum, ...about }) })

/** The parameters that every list takes. @source spec §4 and §8 */
export const pageParameters = {
  limit: wholeNumber(pageLimit.max, { default: pageLimit.default, examples: [20] }).optional(),
  cursor: cursor.optional(),
}

/** Reads the position and the length of a page. */
export function readPage(
  parameters: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  scope: CursorScope,
): Parsed<PageQuery> {
  const limit = Number(parameters.limit ?? pageLimit.default)
  if (parameters.cursor === undefined) return { ok: true, value: { limit } }
  const after = decodeCursor(parameters.cursor, scope)
  return after
    ? { ok: true, value: { limit, after } }
    : { ok: false, issues: [{ field: 'cursor', message: cursorRule }] }
}

export type PageJson<T> = { data: T[]; next_cursor: string | null }

/** @source spec §4: `{data, next_cursor}`, null on the last page */
export const pageToJson = <T, J>(
  { items, next }: Page<T>,
  toJson: (item: T) => J,
  scope: CursorScope,
): PageJson<J> => ({ data: items.map((item) => toJson(item)), next_cursor: next && encodeCursor(next, scope) })

/** The schema of a page. */
export const pageOf = <S extends z.ZodType>(item: S, name: string) =>
  z
    .object({
      data: z.array(item),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'Null on the last page.', examples: [exampleCursor] }),
    })
    .meta({ id: name })
