import type { Request } from 'express'
import type { Page } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'
import { csvMediaType, type CsvTable, type Format } from '@quipu/wire'
import type { Answer } from './answer.ts'

/** A page of this size is made into text within a few milliseconds, in which the process does nothing else. */
export const csvChunkRows = 500

/** Whether the answer is JSON, as the query or else the header `Accept` says. */
export const isJson = ({ headers }: Request, format: Format): boolean =>
  format === undefined ? !/(?:^|,)\s*text\/csv\s*(?:[;,]|$)/i.test(headers.accept ?? '') : format === 'json'

/**
 * The rows of a list, page by page, each read once the one before it was taken.
 *
 * @param isGone  whether nobody reads them any more: pages that a filter leaves empty are not taken, so nothing else ends them
 */
export async function* rowsOf<Item>(
  read: (after: PagePosition) => Promise<Page<Item>>,
  first: Page<Item>,
  isGone: () => boolean,
): AsyncGenerator<readonly Item[]> {
  let page = first
  for (;;) {
    if (page.items.length > 0) yield page.items
    if (page.next === null || isGone()) return
    page = await read(page.next)
  }
}

/** Rows as a file of CSV with a line for each. @param name  of the file, without its end */
export const csvAnswer = <Item>(
  name: string,
  table: CsvTable,
  pages: AsyncIterable<readonly Item[]>,
  toJson: (item: Item) => object,
): Answer =>
  csvFile(name, pages, async function* (taken) {
    yield table.header
    for await (const page of taken) yield page.map((item) => table.line(toJson(item))).join('')
  })

/** A file of CSV, whose trailer says how many rows were taken of these pages. */
export function csvFile<Item>(
  name: string,
  pages: AsyncIterable<readonly Item[]>,
  textOf: (pages: AsyncIterable<readonly Item[]>) => AsyncIterable<string>,
): Answer {
  let rows = 0
  const headers = {
    'Content-Type': csvMediaType,
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    Vary: 'Accept',
  }
  return { status: 200, headers, chunks: textOf(counted()), rowCount: () => rows }

  async function* counted(): AsyncGenerator<readonly Item[]> {
    for await (const page of pages) {
      rows += page.length
      yield page
    }
  }
}
