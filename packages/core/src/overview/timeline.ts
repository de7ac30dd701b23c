import type { Difference } from '../difference/difference.ts'
import type { EventRecord } from '../event/event.ts'
import type { EndedPayout, Payout } from '../payout/payout.ts'
import type { NetworkCall } from '../network/network-call.ts'
import type { Quote } from '../quote/quote.ts'
import type { Resolution } from '../quote/resolution.ts'
import type { AuditRecord } from '../audit/ports.ts'
import type { Delivery, DeliveryAttempt } from '../webhook/delivery.ts'
import type { PayoutHistory } from './payout-history.ts'
import type { PayoutPosting } from './ports.ts'

/** Something that happened to a payout, at its instant. */
export type TimelineEntry = { readonly at: Date } & (
  | { readonly kind: 'qr_resolved'; readonly resolution: Resolution }
  | { readonly kind: 'quoted'; readonly quote: Quote }
  | { readonly kind: 'requested'; readonly payout: Payout }
  | { readonly kind: 'posted'; readonly posting: PayoutPosting }
  | { readonly kind: 'network_called'; readonly call: NetworkCall }
  | { readonly kind: 'ended'; readonly payout: EndedPayout }
  | { readonly kind: 'event_recorded'; readonly event: EventRecord }
  | { readonly kind: 'delivery_attempted'; readonly delivery: Delivery; readonly attempt: DeliveryAttempt }
  | { readonly kind: 'delivery_ended'; readonly delivery: Delivery }
  | { readonly kind: 'difference_found'; readonly difference: Difference }
  | { readonly kind: 'difference_gone'; readonly difference: Difference }
  | { readonly kind: 'operator_acted'; readonly entry: AuditRecord }
)

/**
 * Everything of a payout's history on one time line, oldest first.
 *
 * Entries of one instant are in the order in which one leads to the other: quote, request, hold, network,
 * capture or release, end, event, deliveries,
 * differences, operators. Instants of the stores' clock and of processes are compared as they are.
 */
export function payoutTimeline(history: PayoutHistory): readonly TimelineEntry[] {
  const { record, quote, resolution, networkCalls, event } = history
  const { deliveries, differences, audit } = history
  const { payout, postings } = record
  const inOrder: readonly TimelineEntry[] = [
    ...(resolution ? [{ at: resolution.createdAt, kind: 'qr_resolved', resolution } as const] : []),
    ...(quote ? [{ at: quote.quote.createdAt, kind: 'quoted', quote: quote.quote } as const] : []),
    { at: payout.createdAt, kind: 'requested', payout },
    ...postings.slice(0, 1).map(postedEntry),
    ...networkCalls.map((call) => ({ at: call.createdAt, kind: 'network_called', call }) as const),
    ...postings.slice(1).map(postedEntry),
    ...(payout.status === 'processing' ? [] : [{ at: payout.endedAt, kind: 'ended', payout } as const]),
    ...(event ? [{ at: event.recordedAt, kind: 'event_recorded', event } as const] : []),
    ...deliveries.flatMap(deliveryEntries),
    ...differences.flatMap(differenceEntries),
    ...audit.map((entry) => ({ at: entry.at, kind: 'operator_acted', entry }) as const),
  ]
  return inOrder.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

const postedEntry = (posting: PayoutPosting): TimelineEntry => ({ at: posting.at, kind: 'posted', posting })

function deliveryEntries(delivery: Delivery): readonly TimelineEntry[] {
  const { attempts, endedAt } = delivery
  return [
    ...attempts.map((attempt) => ({ at: attempt.at, kind: 'delivery_attempted', delivery, attempt }) as const),
    ...(endedAt === null ? [] : [{ at: endedAt, kind: 'delivery_ended', delivery } as const]),
  ]
}

const differenceEntries = (difference: Difference): readonly TimelineEntry[] => [
  { at: difference.foundAt, kind: 'difference_found', difference },
  ...(difference.goneAt === null ? [] : [{ at: difference.goneAt, kind: 'difference_gone', difference } as const]),
]
