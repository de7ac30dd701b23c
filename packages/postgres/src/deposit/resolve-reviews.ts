import type { ClosedReview, DepositCommit, Redated } from '@quipu/core/adapter'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { binaryArray, textArray } from '../batch/binary-array.ts'
import type { Database, Statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'
import { durableEntries } from './durable-entries.ts'

export type ReviewResolution = Extract<DepositCommit, { kind: 'credit' | 'close' }>

/** The result of resolving a review. */
export type ResolveResult = 'committed' | 'stale' | 'not_approved' | Redated

export type ResolveRow = RedatableRow<Exclude<ResolveResult, Redated>>

// Decided by migrations/0009-funding.sql.
const resolveReviews: Statement = {
  name: 'resolve_reviews',
  text: `
    select results, redated_tos
    from quipu.resolve_reviews($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
}

/** Credits or closes deposits in review, as approved proposals say. */
export const resolveReviewsProtocol = ({
  read,
}: Pick<Database, 'read'>): BatchProtocol<ReviewResolution, ResolveRow, ResolveResult> => ({
  statement: resolveReviews,
  encode: (items) => {
    const decisions = items.map(decisionOf)
    return [
      textArray(items.map(({ step }) => step.deposit.tenantId)),
      textArray(items.map(({ step }) => step.deposit.id)),
      textArray(items.map(({ kind }) => kind)),
      textArray(items.map(({ proposalId }) => proposalId)),
      textArray(decisions.map(({ actor }) => actor)),
      textArray(decisions.map(({ reason }) => reason)),
      binaryArray(
        'timestamptz',
        decisions.map(({ at }) => at),
      ),
      ...eventColumns(items.map((item) => (item.kind === 'credit' ? item.step.event : null))),
    ]
  },
  resultOf: redatableResult,
  readBack: async (items) =>
    new Map([...(await credits(read, items)), ...(await closes(read, items))]),
})

type Decision = { readonly actor: string; readonly reason: string; readonly at: Date }

const decisionOf = (item: ReviewResolution): Decision =>
  item.kind === 'credit' ? { ...item, at: item.step.event.recordedAt } : item.step.deposit.closed

async function credits(
  read: Database['read'],
  items: readonly ReviewResolution[],
): Promise<readonly (readonly [ReviewResolution, ResolveResult])[]> {
  const credited = items.filter((item) => item.kind === 'credit')
  const events = credited.map(({ step }) => step.event)
  const entries = events.length > 0 ? await durableEntries(read, events) : new Map<never, Date>()
  return credited.flatMap((item) => {
    const loggedAt = entries.get(item.step.event)
    return loggedAt === undefined
      ? []
      : [[item, durableResult(item.step.event.recordedAt, loggedAt)] as const]
  })
}

/** Recognizes a closed review by the instant, the operator and the reason of the write. */
const closedReviews: Statement = {
  name: 'deposit.closed',
  text: `
    select i.place::int - 1 as place
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) with ordinality
      i (tenant_id, deposit_id, at, actor, reason, place)
    cross join lateral (
      select from quipu.deposit d
      where d.id = i.deposit_id and d.tenant_id = i.tenant_id
        and d.closed_at = i.at and d.closed_by = i.actor and d.close_reason = i.reason
      limit 1
    ) d`,
}

export const reviewStatements: readonly Statement[] = [closedReviews]

async function closes(
  read: Database['read'],
  items: readonly ReviewResolution[],
): Promise<readonly (readonly [ReviewResolution, ResolveResult])[]> {
  const closed = items.filter((item) => item.kind === 'close')
  if (closed.length === 0) return []
  const deposits: readonly ClosedReview[] = closed.map(({ step }) => step.deposit)
  const rows = await read<{ place: number }>(closedReviews, [
    deposits.map(({ tenantId }) => tenantId),
    deposits.map(({ id }) => id),
    deposits.map((deposit) => deposit.closed.at),
    deposits.map((deposit) => deposit.closed.actor),
    deposits.map((deposit) => deposit.closed.reason),
  ])
  return [...foundResults(closed, rows, () => 'committed' as const)]
}
