import type { VNode } from 'preact'
import { type Text, useSay } from '../text/text.ts'
import type { Tone } from './notice.tsx'
import { Status } from './status.tsx'

type StateProps<T extends string> = {
  readonly of: T
  readonly tones: Readonly<Record<T, Tone>>
  readonly texts: Readonly<Record<T, Text>>
}

/** A status of the API in a word. A status that this console does not know is shown as it is. */
export function State<T extends string>({ of, tones, texts }: StateProps<T>): VNode {
  const say = useSay()
  const text: Text | undefined = texts[of]
  return <Status tone={tones[of] ?? 'quiet'}>{text ? say(text) : of}</Status>
}

/** The texts of codes as the options of a filter or a field. */
export const optionsOf = (
  all: Readonly<Record<string, Text>>,
): readonly { readonly value: string; readonly label: Text }[] =>
  Object.entries(all).map(([value, label]) => ({ value, label }))
