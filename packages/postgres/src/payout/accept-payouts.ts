import type { PayoutCommit, PayoutCommitResult } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'
import type { LogMemory } from '../restore/log-memory.ts'
import { detailsText } from './payout-details.ts'

export type Acceptance = Extract<PayoutCommit, { kind: 'accept' }> & {
  /** The sampled trace of the request. */
  readonly traceparent?: string
}

const acceptances = arrayParameters<Acceptance>(
  {
    payout_ids: ['text', ({ step }) => step.payout.id],
    transaction_ids: ['text', ({ step }) => step.payout.transactionId],
    fingerprints: ['text', ({ fingerprint }) => fingerprint],
    quote_ids: ['uuid', ({ step }) => step.payout.quoteId],
    holds: ['int8', ({ step }) => step.payout.quote.source.minor],
    created_ats: ['timestamptz', ({ step }) => step.payout.createdAt],
    details: ['text', (write) => detailsText(write.step.payout, write)],
    key_ids: ['text', ({ step }) => step.payout.keyId],
    lease_ms: ['int4', ({ leaseSeconds }) => Math.round(leaseSeconds * 1000)],
  },
  ({ step }) => step.payout.tenantId,
)

// Decided by migrations/0005-payout-commits.sql.
const acceptPayouts = statement('accept_payouts')`
  select quipu.accept_payouts(${namedArguments([...acceptances.names, 'clock_override'])}) as results,
    pg_current_wal_insert_lsn()::text as position`

/** Null when all items are committed. */
type Row = {
  readonly results: readonly PayoutCommitResult[] | null
  /** The position of the log, before the commit. */
  readonly position: string
}

/** Accepts payouts: inserts them, uses their quotes and holds their prices. */
export const acceptPayoutsProtocol = (
  database: Pick<Database, 'read' | 'clockOverride'>,
  memory: Pick<LogMemory, 'written'>,
): BatchProtocol<Acceptance, Row, PayoutCommitResult> => ({
  statement: acceptPayouts,
  encode: (items) => [...acceptances.encode(items), database.clockOverride()],
  resultOf: ({ results, position }, place, { step }) => {
    const result = results === null ? 'committed' : results[place]
    if (result === 'committed') memory.written(position, step.payout)
    return result
  },
  readBack: async (items) => {
    const rows = await database.read<{ place: number }>(insertedPayouts, [
      items.map(({ step }) => step.payout.tenantId),
      items.map(({ step }) => step.payout.id),
    ])
    return foundResults(items, rows, () => 'committed')
  },
  isExpired: ({ deadline }) => deadline !== undefined && deadline.leftMs() <= 0,
})

/** A read-back recognizes a payout by its id. */
const insertedPayouts = statement('payout.inserted')`
  select i.place::int - 1 as place
  from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, payout_id, place)
  where exists (
    select from quipu.payout p where p.tenant_id = i.tenant_id and p.id = i.payout_id
  )`
