import type { PageJson } from '@quipu/wire'
import type { ComponentChildren, VNode } from 'preact'
import { useLive } from '../api/live.ts'
import { withQuery } from '../route/router.ts'
import { type Text, useSay } from '../text/text.ts'
import { type Column, DataTable, type Identified, Pager } from './data-table.tsx'
import { type Filter, Filters } from './filters.tsx'
import { Loaded } from './loaded.tsx'
import { PageHead } from './page-head.tsx'

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
  const live = useLive<PageJson<T>>(withQuery(props.from ?? path, { ...Object.fromEntries(query), limit: '50' }))
  return (
    <>
      <PageHead title={title} live={live}>
        {actions}
        {live.data && props.actionsOn?.(live.data.data)}
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
