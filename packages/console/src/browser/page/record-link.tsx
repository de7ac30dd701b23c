import type { VNode } from 'preact'
import { Link } from '../route/link.tsx'
import { ShortId } from '../ui/values.tsx'
import { placeOfId } from './record-place.ts'

/** The id of a record, shortened in tables, which leads to its page where the console has one. */
export function RecordLink({ id, isShort }: { readonly id: string; readonly isShort?: true }): VNode {
  const to = placeOfId(id)
  const text = isShort ? <ShortId id={id} /> : <code>{id}</code>
  return to === undefined ? text : <Link to={to}>{text}</Link>
}
