import type { ComponentChildren, VNode } from 'preact'
import type { PageJson } from '@quipu/wire'
import { Link } from '../route/link.tsx'
import { withQuery } from '../route/router.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'

/** A column of a table of `T`. */
export type Column<T> = {
  readonly head: Text
  readonly cell: (row: T) => ComponentChildren
  /** `end`: numbers and amounts; `wide`: texts that take several lines. */
  readonly align?: 'end' | 'wide'
  /** The cell names its row, for screen readers. */
  readonly isName?: true
}

/** A row that is a record. */
export type Identified = { readonly id: string }

type DataTableProps<T> = {
  /** The name of the rows. Shown to screen readers. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Text and action when there are none. */
  readonly empty: ComponentChildren
}

/**
 * Rows below headings. At the width of a phone each row is a card, and each cell has its heading beside it; the roles
 * keep it a table for screen readers there. A table that is wider than the page scrolls within.
 */
export function DataTable<T>({ caption, columns, rows, keyOf, empty }: DataTableProps<T>): VNode {
  const say = useSay()
  if (rows.length === 0) return <div class="empty">{empty}</div>
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table role="table" class="cards">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, align }) => (
              <th key={head.en} role="columnheader" scope="col" class={align}>
                {say(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ head, cell, align, isName }) =>
                isName ? (
                  <th key={head.en} role="rowheader" scope="row" class={align}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={head.en} role="cell" class={align} data-head={say(head)}>
                    <span class="value">{cell(row)}</span>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type PagerProps = {
  readonly path: string
  readonly query: URLSearchParams
  readonly page: Pick<PageJson<unknown>, 'next_cursor'>
}

/** Leads to the older rows of a list, and back to the newest. */
export function Pager({ path, query, page }: PagerProps): VNode | null {
  const say = useSay()
  const { cursor, ...filters } = Object.fromEntries(query)
  const next = page.next_cursor
  if (cursor === undefined && next === null) return null
  return (
    <nav class="pager" aria-label={say(generalTexts.pager)}>
      {cursor !== undefined && <Link to={withQuery(path, filters)}>{say(generalTexts.newest)}</Link>}
      {next !== null && <Link to={withQuery(path, { ...filters, cursor: next })}>{say(generalTexts.older)}</Link>}
    </nav>
  )
}
