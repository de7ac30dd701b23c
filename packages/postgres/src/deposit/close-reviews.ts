import type { DepositStore, ReviewClosures } from '@quipu/core/adapter'
import { textArray } from '../batch/binary-array.ts'
import type { Database, Statement } from '../connection/database.ts'
import { eventColumns } from '../event/event-columns.ts'
import { tracedEvent } from '../event/traced-event.ts'

// Decided by migrations/0009-funding.sql.
const closeReviews: Statement = {
  name: 'close_reviews',
  text: 'select quipu.close_reviews($1, $2, $3, $4, $5, $6, $7, $8) as result',
}

/** Closes reviews of one tenant, all or none, as one approved proposal says. */
export async function commitReviewClosures(
  { query }: Pick<Database, 'query'>,
  { tenantId, steps, proposalId, actor, reason }: ReviewClosures,
): ReturnType<DepositStore['closeReviews']> {
  const [row] = await query<{ result: 'committed' | 'stale' | 'not_approved' }>(closeReviews, [
    tenantId,
    textArray(steps.map(({ deposit }) => deposit.id)),
    proposalId,
    actor,
    reason,
    steps[0]?.event.recordedAt ?? null,
    ...eventColumns(steps.map(({ event }) => tracedEvent(event))),
  ])
  return row?.result ?? 'stale'
}
