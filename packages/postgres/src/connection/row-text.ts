import { isoText } from '@quipu/core'

/** A value of a member of a composite type; what is absent is null. */
export type Member = string | number | Date | null | undefined

/**
 * Members as PostgreSQL writes them inside a row: `a,"b c",,""`.
 *
 * A batch travels as one array of rows: the server reads that in a fraction of the time it takes
 * for JSON.
 */
export const membersText = (members: readonly Member[]): string => members.map(text).join(',')

/** An array of rows, each given as its members. */
export const rowsText = (rows: readonly string[]): string =>
  `{${rows.map((members) => quoted(`(${members})`)).join(',')}}`

const text = (member: Member): string => {
  if (member === null || member === undefined) return ''
  if (typeof member === 'number') return String(member)
  if (typeof member !== 'string') return isoText(member)
  return needsQuotes.test(member) ? quoted(member) : member
}

/**
 * What PostgreSQL itself quotes in a row. Nothing else is: each of these quotes costs an escape in
 * the array.
 */
const needsQuotes = /^$|[\s"\\(),]/

function quoted(value: string): string {
  if (!special.test(value)) return `"${value}"`
  // JSON escapes these two just so, and in a third of the time.
  if (!specialInJson.test(value)) return JSON.stringify(value)
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

const special = /["\\]/

/** What JSON may write in another way, and PostgreSQL reads only as it is. */
const specialInJson = /[\u0000-\u001f\ud800-\udfff]/
