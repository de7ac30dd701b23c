import { expect, test } from 'vitest'
import { readDocument } from './documents.fixture.ts'

const document = 'docs/why.md'
const { text } = readDocument(document)

type Cell = { readonly row: string; readonly column: string; readonly text: string }

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The body cells of the only table below a heading, without those that name the rows. */
function tableBelow(heading: string): readonly Cell[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const [head = '', , ...rows] = own.split('\n').filter((line) => line.startsWith('|'))
  const columns = cellsOf(head)
  return rows
    .map(cellsOf)
    .flatMap(([row = '', ...cells]) => columns.slice(1).map((column, n) => ({ row, column, text: cells[n] ?? '' })))
}

const tables = ['Instead, by contract', 'Instead, to build on'] as const

test.each(tables)('%s: every cell links to its source', (heading) => {
  const cells = tableBelow(heading)
  expect(cells.length).toBeGreaterThan(35)
  expect(cells.filter(({ text: cell }) => !/\]\([^)\s]+\)/.test(cell))).toEqual([])
})

test.each(tables)('%s: cells of Quipu link to our documents, all others to public pages', (heading) => {
  const wrong = tableBelow(heading).filter(({ column, text: cell }) => {
    const links = Array.from(cell.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link)
    return links.some((link) => link.startsWith('https://') === (column === 'Quipu'))
  })
  expect(wrong).toEqual([])
})

test.each(tables)('%s: what is not stated is not stated on the linked page', (heading) => {
  const vague = tableBelow(heading).filter(({ text: cell }) => /not stated(?! there)/.test(cell))
  expect(vague).toEqual([])
})
