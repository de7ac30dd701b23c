import { bob } from '@quipu/core'
import type { AddressFunds, PaymentRecord, ReconciledPeriod, ReconciliationStore } from '@quipu/core/operator'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { lowestEventId } from '../page.ts'

/** Whether another cell has the tenant: the row is a frozen copy. */
const elsewhere = (row: string): string => `(
        select true from quipu.moving_tenant m where m.tenant_id = ${row}.tenant_id and m.left_at is not null limit 1
      ) is not null as is_elsewhere`

const paymentColumns = `e.payout_id, e.tenant_id, e.status, p.target, p.created_at, e.ended_at, e.network_payment_id,
      (
        select (r.details ->> 'paid_minor')::bigint from quipu.proposal r
        where r.subject = e.payout_id and r.action = 'settle_payout' and r.status = 'executed' limit 1
      ) as settled_paid,
      ( -- For an exists the planner may read the whole table.
        select true from quipu.adjustment a where a.payout_id = e.payout_id limit 1
      ) is not null as is_refunded, ${elsewhere('e')}`

/** `offset 0` keeps the lookups in this order: one by reference, then one by tenant and id. */
const findEnded = statement('reconciliation.find_ended')`
  select ${paymentColumns}
  from unnest($1::text[]) i (id)
  cross join lateral (
    select * from quipu.payout_end e where e.payout_id = i.id offset 0
  ) e
  cross join lateral (
    select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = i.id limit 1
  ) p`

/**
 * A payout in `processing` is in its first lease, or has a row of `payout_open`, or of `left_payout` in a frozen copy. All
 * name its tenant. The view `held_payout` has the same payouts, but cannot be searched by id without reading all of them.
 */
const findProcessing = statement('reconciliation.find_processing')`
  with candidate as (
    select u.tenant_id, u.payout_id
    from quipu.payout_lease l
    cross join unnest(l.tenant_ids, l.payout_ids) u (tenant_id, payout_id)
    where u.payout_id = any ($1::text[])
    union
    select o.tenant_id, o.payout_id
    from unnest($1::text[]) i (id)
    cross join lateral (
      select * from quipu.payout_open o where o.payout_id = i.id offset 0
    ) o
    union
    select l.tenant_id, l.payout_id
    from unnest($1::text[]) i (id)
    cross join lateral (
      select * from quipu.left_payout l where l.payout_id = i.id offset 0
    ) l
  )
  select p.id as payout_id, p.tenant_id, 'processing' as status, p.target, p.created_at,
    null::timestamptz as ended_at, null as network_payment_id, null::bigint as settled_paid,
    false as is_refunded, ${elsewhere('c')}
  from candidate c
  cross join lateral (
    select * from quipu.payout p where p.tenant_id = c.tenant_id and p.id = c.payout_id limit 1
  ) p
  where not exists (
    select from quipu.payout_end e where e.payout_id = c.payout_id and e.tenant_id = c.tenant_id
  )`

/** In the order of their events' ids. Parameters: $1 exclusive lower id, $2 upper id, $3 number of rows. */
const findCompleted = statement('reconciliation.find_completed')`
  select ${paymentColumns}, e.event_id
  from (
    select * from quipu.payout_events($1::uuid, $2::uuid) e
    where e.status = 'completed' and e.event_id > $1::uuid order by e.event_id limit $3
  ) e
  cross join lateral (
    select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = e.payout_id limit 1
  ) p
  order by e.event_id`

const addressFunds = statement('reconciliation.address_funds')`
  select a.tenant_id as "tenantId", a.index, a.account, a.address, f.received, f.through
  from (
    select * from quipu.top_up_address a where a.chain = $1 and a.index >= $2
      and (select true from quipu.moving_tenant m where m.tenant_id = a.tenant_id limit 1) is null
    order by a.index limit $3
  ) a
  cross join lateral (
    select coalesce(sum(d.amount), 0) as received,
      coalesce(sum(d.amount) filter (where d.solid_block <= $4), 0) as through
    from quipu.deposit d
    where d.address = a.address and d.chain = a.chain
      and d.solid = 'confirmed'
  ) f
  order by a.index`

const pageSize = 2_000

type PaymentRow = {
  readonly payout_id: string
  readonly tenant_id: string
  readonly status: PaymentRecord['status']
  readonly target: bigint
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly network_payment_id: string | null
  readonly settled_paid: bigint | null
  readonly is_refunded: boolean
  readonly is_elsewhere: boolean
}

type CompletedRow = PaymentRow & { readonly event_id: string }

type FundsRow = Omit<AddressFunds, 'receivedThrough'> & { readonly through: bigint }

/** The records that reconciliation compares, in PostgreSQL. */
export const postgresComparedRecords = (
  database: Database,
): Pick<ReconciliationStore, 'findPayments' | 'completedPayments' | 'addressFunds'> => ({
  findPayments: async (references) => {
    const find = async (statement: Statement, before: readonly PaymentRow[]): Promise<readonly PaymentRow[]> => {
      const found = new Set(before.map((row) => row.payout_id))
      const missing = [...new Set(references)].filter((reference) => !found.has(reference))
      if (missing.length === 0) return before
      return [...before, ...(await database.query<PaymentRow>(statement, [missing]))]
    }
    const known = await find(findProcessing, await find(findEnded, []))
    // A payout can have ended between the first two statements.
    return (await find(findEnded, known)).map(paymentFromRow)
  },
  completedPayments: (period) => completedPages(database, period),
  addressFunds: async (chain, fromIndex, limit, throughBlock) => {
    const values = [chain, fromIndex, limit, throughBlock]
    const rows = await database.query<FundsRow>(addressFunds, values)
    return rows.map(({ through, ...row }) => ({ ...row, receivedThrough: through }))
  },
})

/** A statement reads and sorts all payouts of its step, so a step should have few pages. */
async function* completedPages(
  database: Database,
  period: ReconciledPeriod,
): AsyncGenerator<readonly PaymentRecord[], void, undefined> {
  const to = period.to.getTime()
  let stepMs = 60_000
  for (let from = period.from.getTime(); from < to;) {
    const end = Math.min(from + stepMs, to)
    let pages = 0
    for await (const page of pagesBetween(database, lowestEventId(from), lowestEventId(end))) {
      pages++
      yield page.map(paymentFromRow)
    }
    stepMs = pages > 2 ? Math.max(stepMs / 2, 1_000) : stepMs * 2
    from = end
  }
}

async function* pagesBetween(
  database: Database,
  since: string,
  until: string,
): AsyncGenerator<readonly CompletedRow[], void, undefined> {
  let after: string | undefined = since
  while (after !== undefined) {
    const values = [after, until, pageSize]
    const rows: readonly CompletedRow[] = await database.query<CompletedRow>(findCompleted, values)
    if (rows.length > 0) yield rows
    after = rows.length < pageSize ? undefined : rows.at(-1)?.event_id
  }
}

const paymentFromRow = (row: PaymentRow): PaymentRecord => ({
  payoutId: row.payout_id,
  tenantId: row.tenant_id,
  status: row.status,
  target: bob(row.target),
  settledPaid: row.settled_paid === null ? null : bob(row.settled_paid),
  isRefunded: row.is_refunded,
  isElsewhere: row.is_elsewhere,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  networkPaymentId: row.network_payment_id,
})
