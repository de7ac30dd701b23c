import type { EventRecord, EventStore } from '../event/event.ts'
import type { Difference } from '../difference/difference.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { NetworkCall, NetworkCallStore } from '../network/network-call.ts'
import type { ProposalStore } from '../proposal/ports.ts'
import type { Proposal } from '../proposal/proposal.ts'
import type { QuoteStore, ResolutionStore } from '../quote/ports.ts'
import type { QuoteView } from '../quote/quote.ts'
import type { Resolution } from '../quote/resolution.ts'
import type { AuditLog, AuditRecord } from '../audit/ports.ts'
import type { Clock } from '../time.ts'
import type { Delivery } from '../webhook/delivery.ts'
import type { OverviewStore, PayoutRecord } from './ports.ts'

/** Everything that is stored about one payout. */
export type PayoutHistory = {
  readonly record: PayoutRecord
  /** The quote that the request named, used or not. Undefined when it was deleted. */
  readonly quote: QuoteView | undefined
  /** The reading of the QR that the quote named. */
  readonly resolution: Resolution | undefined
  /** The questions to the network that its own request did not settle; the newest `historyRowsMax`, oldest first. */
  readonly networkCalls: readonly NetworkCall[]
  readonly event: EventRecord | undefined
  /** One for each endpoint that receives the event. */
  readonly deliveries: readonly Delivery[]
  /** How it may be settled by hand: the newest `historySubjectsMax`, oldest first. */
  readonly proposals: readonly Proposal[]
  /** Differences that checks have found about it: the newest `historySubjectsMax`, oldest first. */
  readonly differences: readonly Difference[]
  /** Audit entries about it, its proposals and its differences: of each the newest `historyRowsMax`, oldest first. */
  readonly audit: readonly AuditRecord[]
}

/** How many network calls, and how many entries of the audit log about one record, a history has at most. */
export const historyRowsMax = 100

/** How many proposals, and how many differences, a history has at most. */
export const historySubjectsMax = 20

/** Reads the history of a payout of any tenant; undefined when there is no such payout. */
export type ReadPayoutHistory = (payoutId: string) => Promise<PayoutHistory | undefined>

/** The stores that a history is read from. */
export type ReadPayoutHistoryPorts = {
  readonly overview: Pick<OverviewStore, 'payout' | 'deliveriesOf'>
  readonly quotes: Pick<QuoteStore, 'find'>
  readonly resolutions: Pick<ResolutionStore, 'find'>
  readonly networkCalls: Pick<NetworkCallStore, 'list'>
  readonly events: Pick<EventStore, 'get'>
  readonly proposals: Pick<ProposalStore, 'list'>
  readonly differences: Pick<DifferenceStore, 'list'>
  readonly audit: Pick<AuditLog, 'list'>
  readonly now: Clock
}

/**
 * Collects everything that is stored about a payout, for operators. Its parts are read one after the other:
 * while the payout settles, the last ones may be newer than the first.
 *
 * @example
 * ```ts
 * const quoted = await createQuote(ports, { lifeSeconds: 60 })(tenant, { target: qr.amount, resolutionId: null })
 * if (quoted.type === 'refused') throw new Error(quoted.code)
 * const order = { transactionId: 'order-1', quoteId: quoted.quote.id, content: qr.content }
 * const request = { ...order, description: null, fingerprint: 'digest of the body' }
 * const paid = await createPayout(ports, defaultPayoutSettings)(tenant, request)
 * if (paid.type === 'refused') throw new Error(paid.code)
 * const history = await readPayoutHistory(ports)(paid.payout.id)
 * console.log(history?.record.postings.map(({ type }) => type).join()) // hold,capture
 * console.log(history && payoutTimeline(history)[0]?.kind) // quoted
 * ```
 */
export function readPayoutHistory(ports: ReadPayoutHistoryPorts): ReadPayoutHistory {
  return async (payoutId) => {
    const { overview, quotes, resolutions, networkCalls, events } = ports
    const record = await overview.payout(payoutId)
    if (record === undefined) return undefined
    const { eventId } = record
    const { tenantId, quoteId, resolutionId } = record.payout
    return {
      record,
      quote: await quotes.find(tenantId, quoteId),
      resolution: resolutionId === null ? undefined : await resolutions.find(tenantId, resolutionId),
      networkCalls: await networkCalls
        .list({ tenantId, payoutId }, { limit: historyRowsMax })
        .then(({ items }) => items.toReversed()),
      event: eventId === null ? undefined : await events.get(tenantId, eventId),
      deliveries: eventId === null ? [] : await overview.deliveriesOf(tenantId, eventId),
      ...(await readDecisions(ports, payoutId)),
    }
  }
}

/** Records of people and checks about a payout. */
async function readDecisions(
  { proposals, differences, audit, now }: ReadPayoutHistoryPorts,
  subject: string,
): Promise<Pick<PayoutHistory, 'proposals' | 'differences' | 'audit'>> {
  const query = { subject, limit: historySubjectsMax }
  const proposed = (await proposals.list({ ...query, now: now() })).items.toReversed()
  const differing = (await differences.list(query)).items.toReversed()
  const entries: AuditRecord[] = []
  for (const about of [subject, ...[...proposed, ...differing].map(({ id }) => id)])
    entries.push(...(await audit.list({ subject: about, limit: historyRowsMax })))
  return { proposals: proposed, differences: differing, audit: entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}
