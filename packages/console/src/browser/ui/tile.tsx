import type { ComponentChildren, VNode } from 'preact'
import { Link } from '../route/link.tsx'
import type { Tone } from './notice.tsx'

type TileProps = {
  readonly label: string
  readonly figure: ComponentChildren
  /** The meaning of the figure, or its age. */
  readonly hint: ComponentChildren
  readonly tone: Tone
  /** The page with the records behind it; left out: there is none. */
  readonly to?: string | undefined
}

/** The name of a setting breaks after each of its words. */
const breakable = (part: string, at: number) => (at === 0 ? [part] : [<wbr key={at} />, part])

/** A figure that leads to its page. */
export function Tile({ label, figure, hint, tone, to }: TileProps): VNode {
  const content = (
    <>
      <span class="label">{label}</span>
      <span class="figure">{figure}</span>
      <span class="hint">{typeof hint === 'string' ? hint.split(/(?<=_)/).flatMap(breakable) : hint}</span>
    </>
  )
  return <li class={`tile is-${tone}`}>{to === undefined ? <div>{content}</div> : <Link to={to}>{content}</Link>}</li>
}
