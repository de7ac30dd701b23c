import { z } from 'zod'

/** The media type of CSV as this package writes it. */
export const csvMediaType = 'text/csv; charset=utf-8; header=present'

/** Spreadsheets run a text with one of these first characters as a formula. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const decimal = /^-?[0-9]+(?:\.[0-9]+)?$/

/** One line of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(text: string): string {
  const safe = formula.test(text) && !decimal.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * The columns of rows of this schema: its members in their order, those of objects by dots. Arrays and objects without
 * named members are one column each, which has JSON.
 */
const csvColumns = (row: z.ZodType): readonly string[] => [...new Set(columnsAt(row, ''))]

function columnsAt(schema: z.core.$ZodType, path: string): readonly string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return columnsAt(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => columnsAt(option, path))
  if (schema instanceof z.ZodNull) return []
  if (!(schema instanceof z.ZodObject)) return [path]
  return Object.entries(schema.shape as z.core.$ZodShape).flatMap(([name, member]) =>
    columnsAt(member, path === '' ? name : `${path}.${name}`),
  )
}

/** Rows of a schema as lines of CSV. */
export type CsvTable = {
  /** The line of the columns' names. */
  readonly header: string
  /** The line of a row of JSON. */
  line(row: object): string
}

/** Writes rows of a schema as CSV, a column for each of its scalar members. @param row  the schema of the rows */
export function csvTable(row: z.ZodType): CsvTable {
  const columns = csvColumns(row)
  const places = columns.map((column) => {
    const isParent = columns.some((other) => other.startsWith(`${column}.`))
    return { path: column.split('.'), isParent }
  })
  return {
    header: csvLine(columns),
    line: (json) => csvLine(places.map(({ path, isParent }) => textOf(valueAt(json, path), isParent))),
  }
}

const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], row)

function textOf(value: unknown, isParent: boolean): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return isParent && typeof value === 'object' ? '' : JSON.stringify(value)
}
