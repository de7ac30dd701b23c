import type { ComponentChildren, VNode } from 'preact'
import type { Tone } from './notice.tsx'

type StatusProps = { readonly tone: Tone; readonly children: ComponentChildren }

/** A state in a word. Its colour repeats what the word says. */
export function Status({ tone, children }: StatusProps): VNode {
  return <span class={`status is-${tone}`}>{children}</span>
}
