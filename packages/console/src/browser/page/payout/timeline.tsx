import type { TimelineEntryJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useStore } from '../../store.ts'
import { language, textOf, useSay } from '../../text/text.ts'
import { Time } from '../../ui/values.tsx'
import { payoutTexts, timelineTexts } from './payout-texts.ts'

/** Events of a payout, oldest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntryJson[] }): VNode {
  const say = useSay()
  const isSpanish = useStore(language) === 'es'
  return (
    <ol class="timeline" aria-label={say(payoutTexts.timeline)}>
      {entries.map(({ at, kind, id, actor, summary, summary_es }, index) => {
        const name = textOf(timelineTexts, kind)
        return (
          <li key={`${at} ${kind} ${id ?? index}`} class={`kind-${kind}`}>
            <Time at={at} />
            <span class="what">{name ? say(name) : kind}</span>
            <span class="summary">
              {isSpanish ? summary_es : <span lang="en">{summary}</span>}
              {actor !== null && (
                <span class="muted">
                  {' '}
                  · {say(payoutTexts.by)} {actor}
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
