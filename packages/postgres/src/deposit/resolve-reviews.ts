import type { DepositCommit, DepositReturn, Redated } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'
import { durableEntries } from './durable-entries.ts'

export type ReviewResolution = Extract<DepositCommit, { kind: 'credit' | 'close' }>

/** The result of resolving a review. */
export type ResolveResult = 'committed' | 'stale' | 'not_approved' | 'transaction_used' | Redated

export type ResolveRow = RedatableRow<Exclude<ResolveResult, Redated>>

const returnedOf = (item: ReviewResolution): DepositReturn | undefined =>
  item.kind === 'close' ? item.returned : undefined

const resolutions = arrayParameters<ReviewResolution>({
  tenant_ids: ['text', ({ step }) => step.deposit.tenantId],
  deposit_ids: ['text', ({ step }) => step.deposit.id],
  decisions: ['text', (item) => (returnedOf(item) ? 'return' : item.kind)],
  proposal_ids: ['text', ({ proposalId }) => proposalId],
  actors: ['text', ({ actor }) => actor],
  reasons: ['text', ({ reason }) => reason],
  return_tos: ['text', (item) => returnedOf(item)?.toAddress],
  return_hashes: ['text', (item) => returnedOf(item)?.txHash],
  resolved_ats: ['timestamptz', ({ step }) => step.event.recordedAt],
  ...eventColumns<ReviewResolution>(({ step }) => step.event),
})

// Decided by migrations/0009-funding.sql.
const resolveReviews = statement('resolve_reviews')`
  select results, redated_tos
  from quipu.resolve_reviews(${namedArguments(resolutions.names)})`

/** Credits or closes deposits in review, as approved proposals say. */
export const resolveReviewsProtocol = ({
  read,
}: Pick<Database, 'read'>): BatchProtocol<ReviewResolution, ResolveRow, ResolveResult> => ({
  statement: resolveReviews,
  encode: resolutions.encode,
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
