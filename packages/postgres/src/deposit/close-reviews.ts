import type { DepositStore, ReviewClosures } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import { type Database, statement } from '../connection/database.ts'
import { eventColumns } from '../event/event-columns.ts'
import { type TracedEvent, tracedEvent } from '../event/traced-event.ts'

type Closure = { readonly depositId: string; readonly event: TracedEvent }

const closures = arrayParameters<Closure>({
  deposit_ids: ['text', ({ depositId }) => depositId],
  ...eventColumns<Closure>(({ event }) => event),
})

// Decided by migrations/0009-funding.sql.
const closeReviews = statement('close_reviews')`
  select quipu.close_reviews(${namedArguments([...closures.names, 'tenant', 'proposal', 'actor', 'reason', 'given'])}) as result`

/** Closes reviews of one tenant, all or none, as one approved proposal says. */
export async function commitReviewClosures(
  { query }: Pick<Database, 'query'>,
  { tenantId, steps, proposalId, actor, reason }: ReviewClosures,
): ReturnType<DepositStore['closeReviews']> {
  const [row] = await query<{ result: 'committed' | 'stale' | 'not_approved' }>(closeReviews, [
    ...closures.encode(steps.map(({ deposit, event }) => ({ depositId: deposit.id, event: tracedEvent(event) }))),
    tenantId,
    proposalId,
    actor,
    reason,
    steps[0]?.event.recordedAt ?? null,
  ])
  return row?.result ?? 'stale'
}
