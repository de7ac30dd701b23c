import type { EventRecord, EventStore } from '@quipu/core'
import { allPages } from './pages.ts'

/** The only order in which those of one deposit can come. */
const order = ['deposit.pending', 'deposit.in_review', 'deposit.credited']

/** An event as it is stored, its bytes as a plain array: a subclass of Uint8Array is as good. */
export function plainEvent(
  event: EventRecord,
): Omit<EventRecord, 'body'> & { readonly body: readonly number[] } {
  const { id, tenantId, type, subjectId, occurredAt, recordedAt, body } = event
  return { id, tenantId, type, subjectId, occurredAt, recordedAt, body: [...body] }
}

/** All events about one payout or deposit, oldest first; those of one millisecond as they must have come. */
export async function eventsAbout(
  { events }: { readonly events: Pick<EventStore, 'list'> },
  tenantId: string,
  subjectId: string,
): Promise<readonly EventRecord[]> {
  const pages = await allPages((query) => events.list(tenantId, query), 100)
  return pages
    .flat()
    .filter((event) => event.subjectId === subjectId)
    .toSorted(
      (a, b) =>
        a.recordedAt.getTime() - b.recordedAt.getTime() ||
        order.indexOf(a.type) - order.indexOf(b.type),
    )
}
