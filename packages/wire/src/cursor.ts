import { type Position, sha256 } from '@quipu/core'
import type { z } from 'zod'
import { matching } from './fields.ts'
import { canonicalJson } from './fingerprint.ts'

/** The list that a cursor belongs to: a digest of its name, its owner and its filters. */
export type CursorScope = string

/** @param owner  the tenant, or `operator` */
export const cursorScope = (
  list: string,
  owner: string,
  filters: Readonly<Record<string, string>> = {},
): CursorScope => sha256(canonicalJson([list, owner, filters])).slice(0, 16)

const lastMs = 253_402_300_799_999 // 9999-12-31T23:59:59.999Z
const opened = /^1\.(0|[1-9][0-9]{0,14})\.([A-Za-z0-9_-]{1,64})\.[0-9a-f]{16}$/

/** Makes an opaque text of a place in a list, good for that list only. */
export const encodeCursor = ({ createdAt, id }: Position, scope: CursorScope): string =>
  Buffer.from(`1.${createdAt.getTime()}.${id}.${scope}`).toString('base64url')

/** @returns undefined when the cursor is malformed or of another owner, list or filters */
export function decodeCursor(cursor: string, scope: CursorScope): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, ms, id] = opened.exec(text) ?? []
  if (id === undefined || Number(ms) > lastMs) return undefined
  const position = { createdAt: new Date(Number(ms)), id }
  // Good is what we would make of this place in this list: other spellings of base64 are not.
  return encodeCursor(position, scope) === cursor ? position : undefined
}

export const cursorRule = 'must be the next_cursor of the same list with the same filters'

/** For the document. */
export const exampleCursor =
  'MS4xNzYzNjUxMDQ1MDAwLnBvXzAxS0FHWjhNODgwMDAwMDAwMDAwMDAwMDBDLjZmMGM4ZDJlM2E1YjdjOTE'

export const cursor: z.ZodString = matching(/^[A-Za-z0-9_-]{1,256}$/, cursorRule).meta({
  description: 'The `next_cursor` of the previous page. Keep the same filters.',
  examples: [exampleCursor],
})
