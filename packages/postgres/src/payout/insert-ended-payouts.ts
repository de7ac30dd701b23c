import type { Commit, UnappliedPayout } from '@quipu/core'
import type { BatchProtocol } from '../connection/batch-writer.ts'
import { binaryArray } from '../connection/binary-array.ts'
import type { Database, Statement } from '../connection/database.ts'
import { durableEndings, endingResult, type EndingResult, type EndingRow } from './ending-result.ts'
import { eventColumns } from '../event/event-columns.ts'

export type Insertion = Extract<Commit, { kind: 'refuse' }>

/** migrations/0005-payout-commits.sql decides. */
const statement: Statement = {
  name: 'insert_ended_payouts',
  text: `
    select results, redated_tos
    from quipu.insert_ended_payouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17, $18, $19)`,
}

/** Inserts payouts that ended before they were applied. */
export const insertingEnded = ({
  read,
}: Pick<Database, 'read'>): BatchProtocol<Insertion, EndingRow, EndingResult> => ({
  statement,
  encode: (items) => [
    ...requestColumns(items),
    ...endColumns(items.map(({ step }) => step.payout)),
    ...eventColumns(items.map(({ event }) => event)),
  ],
  resultOf: endingResult,
  readBack: async (items) => {
    const rows = await read<{ place: number; ended_at: Date }>(endedPayouts, [
      items.map(({ step }) => step.payout.tenantId),
      items.map(({ step }) => step.payout.id),
    ])
    return durableEndings(items, rows)
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

type Text = string | null | undefined

const text = (values: readonly Text[]): Buffer => binaryArray('text', values)

function requestColumns(items: readonly Insertion[]): readonly Buffer[] {
  const payouts = items.map(({ step }) => step.payout)
  return [
    text(payouts.map(({ tenantId }) => tenantId)),
    text(payouts.map(({ id }) => id)),
    text(payouts.map(({ transactionId }) => transactionId)),
    text(items.map(({ fingerprint }) => fingerprint)),
    binaryArray(
      'uuid',
      payouts.map(({ quoteId }) => quoteId),
    ),
    text(payouts.map(({ resolutionId }) => resolutionId)),
    binaryArray(
      'int8',
      payouts.map(({ target }) => target.minor),
    ),
    binaryArray(
      'timestamptz',
      payouts.map(({ createdAt }) => createdAt),
    ),
    text(payouts.map(({ qr }) => qr?.amountMode)),
    text(payouts.map(({ qr }) => qr?.merchant.name)),
    text(payouts.map(({ qr }) => qr?.merchant.bankCode)),
  ]
}

const endColumns = (payouts: readonly UnappliedPayout[]): readonly Buffer[] => [
  text(payouts.map(({ status }) => status)),
  text(payouts.map(({ error }) => error.code)),
  text(payouts.map(({ error }) => error.message)),
  binaryArray(
    'timestamptz',
    payouts.map(({ endedAt }) => endedAt),
  ),
]
