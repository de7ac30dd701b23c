import type { PageJson } from '@quipu/wire'
import type { ComponentChildren, VNode } from 'preact'
import { useLive } from '../api/live.ts'
import { withQuery } from '../route/router.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'
import { Csv } from './csv.tsx'
import { type Column, DataTable, type Identified, Pager } from './data-table.tsx'
import { type Filter, Filters } from './filters.tsx'
import { Loaded } from './loaded.tsx'
import { PageHead } from './page-head.tsx'
import { Copy } from './values.tsx'

type ListPageProps<T extends Identified> = {
  readonly title: string
  /** The path of the page and, below `/operator/v1`, of the list. */
  readonly path: string
  /** The path of the list where it differs from `path`. */
  readonly from?: string
  readonly query: URLSearchParams
  readonly filters?: readonly Filter[]
  readonly columns: readonly Column<T>[]
  /** Text and action when there are no rows. */
  readonly empty: Text
  /** Actions of the page. */
  readonly actions?: ComponentChildren
  /** Actions on the rows of the page. */
  readonly actionsOn?: (rows: readonly T[]) => ComponentChildren
  /** Above the filters. */
  readonly children?: ComponentChildren
}

/** A page that lists records, newest first. */
export function ListPage<T extends Identified>(props: ListPageProps<T>): VNode {
  const { title, path, query, filters = [], columns, empty, actions, children } = props
  const say = useSay()
  const { cursor, ...filter } = Object.fromEntries(query)
  const from = props.from ?? path
  const live = useLive<PageJson<T>>(withQuery(from, { ...filter, cursor, limit: '50' }))
  return (
    <>
      <PageHead title={title} live={live}>
        {actions}
        {live.data && props.actionsOn?.(live.data.data)}
        <Copy key={location.href} text={location.href} label={generalTexts.copyLink} />
        <Csv from={from} filter={filter} />
      </PageHead>
      {children}
      <Filters path={path} query={query} filters={filters} />
      <Loaded live={live}>
        {(page) => (
          <>
            <DataTable caption={title} columns={columns} rows={page.data} keyOf={({ id }) => id} empty={say(empty)} />
            <Pager path={path} query={query} page={page} />
          </>
        )}
      </Loaded>
    </>
  )
}
