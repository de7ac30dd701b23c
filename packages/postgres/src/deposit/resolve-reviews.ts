import type { DepositCommit, DepositReturn, Redated } from '@quipu/core/adapter'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { binaryArray, textArray } from '../batch/binary-array.ts'
import type { Database, Statement } from '../connection/database.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'
import { durableEntries } from './durable-entries.ts'

export type ReviewResolution = Extract<DepositCommit, { kind: 'credit' | 'close' }>

/** The result of resolving a review. */
export type ResolveResult = 'committed' | 'stale' | 'not_approved' | 'transaction_used' | Redated

export type ResolveRow = RedatableRow<Exclude<ResolveResult, Redated>>

const returnedOf = (item: ReviewResolution): DepositReturn | undefined =>
  item.kind === 'close' ? item.returned : undefined

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
  encode: (items) => [
    textArray(items.map(({ step }) => step.deposit.tenantId)),
    textArray(items.map(({ step }) => step.deposit.id)),
    textArray(items.map((item) => (returnedOf(item) ? 'return' : item.kind))),
    textArray(items.map(({ proposalId }) => proposalId)),
    textArray(items.map(({ actor }) => actor)),
    textArray(items.map(({ reason }) => reason)),
    textArray(items.map((item) => returnedOf(item)?.toAddress ?? null)),
    textArray(items.map((item) => returnedOf(item)?.txHash ?? null)),
    binaryArray(
      'timestamptz',
      items.map(({ step }) => step.event.recordedAt),
    ),
    ...eventColumns(items.map(({ step }) => step.event)),
  ],
  resultOf: redatableResult,
  readBack: async (items) => {
    const entries = await durableEntries(
      read,
      items.map(({ step }) => step.event),
    )
    return new Map(
      items.flatMap((item) => {
        const loggedAt = entries.get(item.step.event)
        if (loggedAt === undefined) return []
        return [[item, durableResult(item.step.event.recordedAt, loggedAt)]]
      }),
    )
  },
})
