import type { ComponentChildren, VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Live } from '../api/live.ts'
import { useFormat } from '../text/format.ts'
import { generalTexts } from '../text/general-texts.ts'
import { useSay } from '../text/text.ts'

type PageHeadProps = {
  /** The title, of the tab, too. */
  readonly title: string
  /** The page's data: its head says how old it is. */
  readonly live?: Pick<Live<unknown>, 'at' | 'failure'>
  /** Actions on what the page shows. */
  readonly children?: ComponentChildren
}

/** The heading of a page. */
export function PageHead({ title, live, children }: PageHeadProps): VNode {
  useEffect(() => {
    document.title = `${title} · Quipu`
  }, [title])
  return (
    <div class="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {live && <Age {...live} />}
      {children !== undefined && <div class="actions">{children}</div>}
    </div>
  )
}

function Age({ at, failure }: Pick<Live<unknown>, 'at' | 'failure'>): VNode | null {
  const say = useSay()
  const { timeOfDay } = useFormat()
  if (!at) return null
  const time = timeOfDay(at.toISOString())
  return failure ? (
    <span class="age is-bad" role="status">
      {say(generalTexts.notUpdated, time)}
    </span>
  ) : (
    <span class="age muted">{say(generalTexts.updatedAt, time)}</span>
  )
}
