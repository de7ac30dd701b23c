import { type Command, InvalidArgumentError } from 'commander'
import type { Pages } from '../../index.ts'
import type { CommandCall, CommonOptions } from '../connection/command-call.ts'
import { printRows } from './print.ts'

/** Options of lists of what happened. */
export type ListOptions = PageOptions & { readonly from?: string; readonly to?: string }

/** Options of every list. */
export type PageOptions = CommonOptions & { readonly limit?: number; readonly cursor?: string; readonly all?: boolean }

/** Adds the options of lists of what happened. */
export const withPeriod = (command: Command): Command =>
  withPages(
    command
      .option('--from <instant>', 'from then on, such as 2026-11-20T00:00:00Z')
      .option('--to <instant>', 'until then'),
  )

/** Adds the options of every list. */
export const withPages = (command: Command): Command =>
  command
    .option('--limit <count>', 'rows of a page', wholeNumber)
    .option('--cursor <cursor>', 'the next page of an earlier answer')
    .option('--all', 'all pages')

type PageQuery = Pick<ListOptions, 'from' | 'to' | 'cursor'> & { readonly limit: number }

/** The part of the options that is a query. */
export const pageQuery = ({ from, to, limit, cursor, all }: ListOptions): PageQuery => ({
  limit: limit ?? (all ? 100 : 20),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(cursor !== undefined && { cursor }),
})

/** Reads an option. @throws InvalidArgumentError unless it is a whole number */
export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

type Page = { readonly data: readonly object[]; readonly next_cursor: string | null }

/** Prints a page or all pages, newest first: a table, or what the API answered. */
export async function printList(
  call: CommandCall,
  { all = false }: Pick<ListOptions, 'all'>,
  pages: Pages<Page>,
  columns: readonly string[],
): Promise<void> {
  const page = await (all ? pages.whole() : pages.page())
  const { terminal } = call.context
  if (call.json) return terminal.out(`${JSON.stringify(page, null, 2)}\n`)
  if (page.data.length === 0) return terminal.error('There is none.\n')
  printRows(call, page.data, columns)
  if (page.next_cursor !== null) terminal.error(`There are more: --all, or --cursor ${page.next_cursor}\n`)
}
