import { cell, isNumeric, memberAt } from './cell.ts'

type Row = Readonly<Record<string, unknown>>

/** The lines of a table that fits the width of a terminal. */
export type Table = {
  readonly lines: readonly string[]
  /** Columns for which the terminal is too narrow. */
  readonly hidden: readonly string[]
}

const gap = '  '
/** Longer texts are cut on a terminal. */
const cellMax = 48

const lengthOf = (text: string): number => [...text].length

const cut = (text: string): string => (lengthOf(text) > cellMax ? `${[...text].slice(0, cellMax - 1).join('')}…` : text)

/**
 * Rows below a header. On a terminal, columns from the right are left out until the table fits.
 *
 * @param width  of the terminal; undefined prints everything in full
 */
export function table(rows: readonly Row[], columns: readonly string[], width: number | undefined): Table {
  const cells = columns.map((column) => {
    const texts = rows.map((row) => cell(memberAt(row, column)))
    return { column, texts: width === undefined ? texts : texts.map(cut) }
  })
  const sized = cells.map(({ column, texts }) => {
    const lengths = texts.map(lengthOf)
    return {
      column,
      texts,
      size: lengths.reduce((longest, each) => Math.max(longest, each), lengthOf(column)),
      isRight: texts.length > 0 && texts.every(isNumeric) && texts.some((text) => text !== '–'),
    }
  })
  const shown = fitting(sized, width)
  const line = (textOf: (column: (typeof sized)[number]) => string): string =>
    shown
      .map((column) => {
        const text = textOf(column)
        const space = ' '.repeat(Math.max(0, column.size - lengthOf(text)))
        return column.isRight ? space + text : text + space
      })
      .join(gap)
      .trimEnd()
  return {
    lines: [
      line(({ column }) => column.toUpperCase()),
      ...rows.map((_, index) => line(({ texts }) => texts[index] ?? '')),
    ],
    hidden: sized.slice(shown.length).map(({ column }) => column),
  }
}

function fitting<Column extends { readonly size: number }>(
  columns: readonly Column[],
  width = Number.POSITIVE_INFINITY,
): readonly Column[] {
  let used = -gap.length
  const tooWide = columns.findIndex(({ size }) => (used += gap.length + size) > width)
  return tooWide === -1 ? columns : columns.slice(0, Math.max(1, tooWide))
}
