import type { Column } from '../batch/array-parameters.ts'
import type { TracedEvent } from './traced-event.ts'

/**
 * The parameters of a batch's events: their ids and the traces of their commits. The function that writes them makes
 * their bytes of the rows.
 */
export const eventColumns = <Item>(
  eventOf: (item: Item) => TracedEvent | null,
): Readonly<Record<'event_ids' | 'traceparents', Column<Item>>> => ({
  event_ids: ['uuid', (item) => eventOf(item)?.id],
  traceparents: ['text', (item) => eventOf(item)?.traceparent],
})
