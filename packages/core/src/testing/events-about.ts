import type { EventRecord, EventStore } from '../event/event.ts'
import type { Position } from '../page.ts'

/** The only order in which those of one deposit can come. */
const order = ['deposit.pending', 'deposit.in_review', 'deposit.credited']

/** All events about one payout or deposit, oldest first; those of one millisecond as they must have come. */
export async function eventsAbout(
  { events }: { readonly events: Pick<EventStore, 'list'> },
  tenantId: string,
  subjectId: string,
): Promise<readonly EventRecord[]> {
  const found: EventRecord[] = []
  let after: Position | null = null
  do {
    const page = await events.list(tenantId, { limit: 100, ...(after && { after }) })
    found.push(...page.items.filter((event) => event.subjectId === subjectId))
    after = page.next
  } while (after)
  return found.toSorted(
    (a, b) =>
      a.recordedAt.getTime() - b.recordedAt.getTime() ||
      order.indexOf(a.type) - order.indexOf(b.type),
  )
}
