import type { PageJson } from '@quipu/wire'
import type { ComponentChildren, VNode } from 'preact'
import { useLive } from '../api/live.ts'
import { Link } from '../route/link.tsx'
import { withQuery } from '../route/router.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'
import { type Column, DataTable, type Identified } from './data-table.tsx'
import { Loaded } from './loaded.tsx'
import { Section } from './section.tsx'

type ListSectionProps<T extends Identified> = {
  readonly heading: Text
  readonly hint?: Text
  /** The path of the list, below `/operator/v1`. */
  readonly from: string
  readonly filter?: Readonly<Record<string, string>>
  /** The page that lists the rest. */
  readonly all?: string
  readonly columns: readonly Column<T>[]
  readonly empty: Text
  readonly actions?: ComponentChildren
}

const shownRows = '20'

/** The newest records of a list that belong to the page's record. */
export function ListSection<T extends Identified>(props: ListSectionProps<T>): VNode {
  const { heading, hint, from, filter = {}, all, columns, empty, actions } = props
  const say = useSay()
  const live = useLive<PageJson<T>>(withQuery(from, { ...filter, limit: shownRows }))
  return (
    <Section heading={heading} hint={hint} actions={actions}>
      <Loaded live={live}>
        {({ data, next_cursor: next }) => (
          <>
            <DataTable caption={say(heading)} columns={columns} rows={data} keyOf={({ id }) => id} empty={say(empty)} />
            {all !== undefined && next !== null && (
              <p class="pager">
                <Link to={withQuery(all, filter)}>{say(generalTexts.showAll)}</Link>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
