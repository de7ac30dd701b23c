import type { ComponentChildren, VNode } from 'preact'
import { type Text, useSay } from '../text/text.ts'

type FactsProps = { readonly of: readonly (readonly [Text, ComponentChildren])[] }

/** Names and values of one record. */
export function Facts({ of }: FactsProps): VNode {
  const say = useSay()
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name.en}>
          <dt>{say(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
