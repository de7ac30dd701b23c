import { cell, isObject, isOneLine } from './cell.ts'
import { table } from './table.ts'

type Row = Readonly<Record<string, unknown>>

/** The members of an object, one a line. Lists of objects follow as tables. */
export function details(object: Row, width: number | undefined): readonly string[] {
  const members = flat(object, '')
  const longest = members.reduce((longest, { name }) => Math.max(longest, name.length), 0)
  const lines = members
    .filter(({ value }) => isOneLine(value))
    .map(({ name, value }) => `${name.padEnd(longest)}  ${cell(value)}`)
  const lists = members.filter(({ value }) => !isOneLine(value))
  return [...lines, ...lists.flatMap(({ name, value }) => list(name, value as readonly unknown[], width))]
}

function flat(object: Row, prefix: string): { name: string; value: unknown }[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    if (!isObject(value) || isOneLine(value)) return [{ name, value }]
    return Object.keys(value).length > 0 ? flat(value, `${name}.`) : [{ name, value: null }]
  })
}

function list(name: string, values: readonly unknown[], width: number | undefined): string[] {
  const rows = values.filter(isObject)
  const columns = [...new Set(rows.flatMap((row) => columnsOfRow(row)))]
  return ['', `${name} (${values.length})`, ...table(rows, columns, width).lines]
}

const columnsOfRow = (row: Row): string[] =>
  Object.entries(row)
    .filter(([, value]) => isOneLine(value))
    .map(([key]) => key)
