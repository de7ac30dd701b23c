import type { ComponentChildren, VNode } from 'preact'
import { type Text, useSay } from '../text/text.ts'

type SectionProps = {
  readonly heading: Text
  readonly hint?: Text | undefined
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a page below a heading. */
export function Section({ heading, hint, actions, children }: SectionProps): VNode {
  const say = useSay()
  return (
    <section>
      <div class="section-head">
        <h2>{say(heading)}</h2>
        {hint && <p class="muted">{say(hint)}</p>}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
