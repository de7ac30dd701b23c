import type { VNode } from 'preact'
import { Link } from '../route/link.tsx'
import { placeOfId } from './record-place.ts'

/** The id of a record, which leads to its page where the console has one. */
export function RecordLink({ id }: { readonly id: string }): VNode {
  const to = placeOfId(id)
  const text = <code>{id}</code>
  return to === undefined ? text : <Link to={to}>{text}</Link>
}
