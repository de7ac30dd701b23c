import type { OperatorEventJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { ListSection } from '../../ui/list-section.tsx'
import { eventAboutColumns } from './event-columns.tsx'
import { eventTexts } from './webhook-texts.ts'

/** The events about a record. */
export const EventsAbout = ({ subject }: { readonly subject: string }): VNode => (
  <ListSection<OperatorEventJson>
    heading={eventTexts.title}
    from="/events"
    filter={{ subject_id: subject }}
    all="/events"
    columns={eventAboutColumns}
    empty={eventTexts.none}
  />
)
