import type { PayoutCommit, Redated } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'
import { detailsText } from './payout-details.ts'

export type Insertion = Extract<PayoutCommit, { kind: 'insert_ended' }>

const insertions = arrayParameters<Insertion>({
  tenant_ids: ['text', ({ step }) => step.payout.tenantId],
  payout_ids: ['text', ({ step }) => step.payout.id],
  transaction_ids: ['text', ({ step }) => step.payout.transactionId],
  fingerprints: ['text', ({ fingerprint }) => fingerprint],
  quote_ids: ['uuid', ({ step }) => step.payout.quoteId],
  resolution_ids: ['text', ({ step }) => step.payout.resolutionId],
  targets: ['int8', ({ step }) => step.payout.target.minor],
  created_ats: ['timestamptz', ({ step }) => step.payout.createdAt],
  details: ['text', ({ step }) => detailsText(step.payout)],
  key_ids: ['text', ({ step }) => step.payout.keyId],
  statuses: ['text', ({ step }) => step.payout.status],
  error_codes: ['text', ({ step }) => step.payout.error.code],
  error_messages: ['text', ({ step }) => step.payout.error.message],
  ended_ats: ['timestamptz', ({ step }) => step.payout.endedAt],
  ...eventColumns<Insertion>(({ step }) => step.event),
})

// Decided by migrations/0005-payout-commits.sql.
const insertEndedPayouts = statement('insert_ended_payouts')`
  select results, redated_tos
  from quipu.insert_ended_payouts(${namedArguments(insertions.names)})`

type Ended = 'committed' | 'stale' | 'not_allowed'

/** Inserts payouts that ended before they were accepted. */
export const insertEndedPayoutsProtocol = ({
  read,
}: Pick<Database, 'read'>): BatchProtocol<Insertion, RedatableRow<Ended>, Ended | Redated> => ({
  statement: insertEndedPayouts,
  encode: insertions.encode,
  resultOf: redatableResult,
  readBack: async (items) => {
    const rows = await read<{ place: number; ended_at: Date }>(endedPayouts, [
      items.map(({ step }) => step.payout.tenantId),
      items.map(({ step }) => step.payout.id),
    ])
    return foundResults(items, rows, ({ step }, { ended_at: endedAt }) => durableResult(step.payout.endedAt, endedAt))
  },
  isExpired: ({ deadline }) => deadline !== undefined && deadline.leftMs() <= 0,
})

const endedPayouts = statement('payout.ended')`
  select i.place::int - 1 as place, e.ended_at
  from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, payout_id, place)
  cross join lateral (
    select e.ended_at from quipu.payout_end e
    where e.payout_id = i.payout_id and e.tenant_id = i.tenant_id
  ) e`
