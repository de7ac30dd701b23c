import type { PayoutCommit, Redated, SettledPayout } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'

export type Settlement = Extract<PayoutCommit, { kind: 'settle' }>

const errorOf = (payout: SettledPayout) => (payout.status === 'completed' ? undefined : payout.error)

const settlements = arrayParameters<Settlement>(
  {
    payout_ids: ['text', ({ claim }) => claim.payoutId],
    fencing_tokens: ['int4', ({ claim }) => claim.fencingToken],
    statuses: ['text', ({ step }) => step.payout.status],
    error_codes: ['text', ({ step }) => errorOf(step.payout)?.code],
    error_messages: ['text', ({ step }) => errorOf(step.payout)?.message],
    network_payment_ids: [
      'text',
      ({ step: { payout } }) => (payout.status === 'completed' ? payout.networkPaymentId : null),
    ],
    ended_ats: ['timestamptz', ({ step }) => step.payout.endedAt],
    ...eventColumns<Settlement>(({ step }) => step.event),
  },
  ({ claim }) => claim.tenantId,
)

// Decided by migrations/0005-payout-commits.sql.
const settlePayouts = statement('settle_payouts')`
  select results, redated_tos
  from quipu.settle_payouts(${namedArguments([...settlements.names, 'network_refs'])})`

/** Null when no item has one, as with a network that gives its references before the order. */
const givenRefs = (items: readonly Settlement[]): readonly (string | null)[] | null =>
  items.some(({ networkRef }) => networkRef !== undefined) ? items.map(({ networkRef }) => networkRef ?? null) : null

type Ended = 'committed' | 'stale'

/** Settles payouts in `processing`. */
export const settlePayoutsProtocol = ({
  read,
}: Pick<Database, 'read'>): BatchProtocol<Settlement, RedatableRow<Ended>, Ended | Redated> => ({
  statement: settlePayouts,
  encode: (items) => [...settlements.encode(items), givenRefs(items)],
  resultOf: redatableResult,
  readBack: async (items) => {
    const rows = await read<{ place: number; ended_at: Date }>(settledPayouts, [
      items.map(({ claim }) => claim.tenantId),
      items.map(({ claim }) => claim.payoutId),
      items.map(({ claim }) => claim.fencingToken),
      items.map(({ step }) => step.payout.status),
    ])
    return foundResults(items, rows, ({ step }, { ended_at: endedAt }) => durableResult(step.payout.endedAt, endedAt))
  },
})

/** A read-back recognizes a settlement by the fencing token of its claim and its status. */
const settledPayouts = statement('payout.settled')`
  select i.place::int - 1 as place, e.ended_at
  from unnest($1::text[], $2::text[], $3::int[], $4::text[]) with ordinality
    i (tenant_id, payout_id, fencing_token, status, place)
  cross join lateral (
    select e.ended_at from quipu.payout_end e
    where e.payout_id = i.payout_id and e.tenant_id = i.tenant_id
      and e.fencing_token = i.fencing_token and e.status = i.status
  ) e`
