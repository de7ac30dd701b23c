import type { PayoutCommit, Redated, DeclinedPayout } from '@quipu/core/adapter'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { binaryArray, textArray } from '../batch/binary-array.ts'
import type { Database, Statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'
import { detailsText } from './payout-details.ts'

export type Insertion = Extract<PayoutCommit, { kind: 'insert_ended' }>

// Decided by migrations/0005-payout-commits.sql.
const insertEndedPayouts: Statement = {
  name: 'insert_ended_payouts',
  text: `
    select results, redated_tos
    from quipu.insert_ended_payouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
}

type Ended = 'committed' | 'stale' | 'not_allowed'

/** Inserts payouts that ended before they were accepted. */
export const insertEndedPayoutsProtocol = ({
  read,
}: Pick<Database, 'read'>): BatchProtocol<Insertion, RedatableRow<Ended>, Ended | Redated> => ({
  statement: insertEndedPayouts,
  encode: (items) => [
    ...requestColumns(items),
    ...endColumns(items.map(({ step }) => step.payout)),
    ...eventColumns(items.map(({ step }) => step.event)),
  ],
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

const endedPayouts: Statement = {
  name: 'payout.ended',
  text: `
    select i.place::int - 1 as place, e.ended_at
    from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, payout_id, place)
    cross join lateral (
      select e.ended_at from quipu.payout_end e
      where e.payout_id = i.payout_id and e.tenant_id = i.tenant_id
    ) e`,
}

function requestColumns(items: readonly Insertion[]): readonly Buffer[] {
  const payouts = items.map(({ step }) => step.payout)
  return [
    textArray(payouts.map(({ tenantId }) => tenantId)),
    textArray(payouts.map(({ id }) => id)),
    textArray(payouts.map(({ transactionId }) => transactionId)),
    textArray(items.map(({ fingerprint }) => fingerprint)),
    binaryArray(
      'uuid',
      payouts.map(({ quoteId }) => quoteId),
    ),
    textArray(payouts.map(({ resolutionId }) => resolutionId)),
    binaryArray(
      'int8',
      payouts.map(({ target }) => target.minor),
    ),
    binaryArray(
      'timestamptz',
      payouts.map(({ createdAt }) => createdAt),
    ),
    textArray(payouts.map((payout) => detailsText(payout))),
    textArray(payouts.map(({ keyId }) => keyId)),
  ]
}

const endColumns = (payouts: readonly DeclinedPayout[]): readonly Buffer[] => [
  textArray(payouts.map(({ status }) => status)),
  textArray(payouts.map(({ error }) => error.code)),
  textArray(payouts.map(({ error }) => error.message)),
  binaryArray(
    'timestamptz',
    payouts.map(({ endedAt }) => endedAt),
  ),
]
