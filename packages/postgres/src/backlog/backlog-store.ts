import {
  type Backlog,
  type BacklogStore,
  backlogCountMax,
  type DeliveryPace,
  type BacklogCount,
  heldLockSeconds,
} from '@quipu/core/adapter'
import { type DifferenceCheck, differenceChecks, lineMarginMs } from '@quipu/core/operator'
import { readDecisions, waitingFromRow, type WaitingRow } from './decisions.ts'
import { readAlertsSent } from '../operator-alert/operator-alert-store.ts'
import { type Database, statement } from '../connection/database.ts'
import { ledgerAges } from '../ledger/ledger-ages.ts'
import { runColumns, runFromRow, type RunRow } from '../reconciliation/reconciliation-row.ts'
import { endingTokens, heldLocks } from './ending-tokens-and-locks.ts'

/**
 * One row a pace. Only endpoints that may have a due delivery are read: those with open deliveries, with expired
 * runs, with a due cursor, and those of tenants in signals that no claim has read yet. For each of them, three
 * lookups find the oldest one: among its open deliveries, its expired runs, and the entries past its cursor.
 * Counting stops at the limit.
 */
const deliveries = statement('backlog.deliveries')`
  with recursive clock as materialized (select quipu.store_now($1) as now),
  open_endpoint (id) as (
    (select d.endpoint_id from quipu.delivery_open d order by d.endpoint_id limit 1)
    union all
    select next.id from open_endpoint o cross join lateral (
      select d.endpoint_id as id from quipu.delivery_open d
      where d.endpoint_id > o.id order by d.endpoint_id limit 1
    ) next
  ),
  candidate (id) as materialized (
    select o.id from open_endpoint o
    union
    select r.endpoint_id from clock k cross join quipu.delivery_run r where r.leased_until <= k.now
    union
    select c.endpoint_id from quipu.delivery_cursor c where c.is_due
    union
    select c.endpoint_id from (
      select distinct t.id from quipu.delivery_signal s cross join unnest(s.tenant_ids) t (id)
    ) t cross join lateral (
      select c.endpoint_id from quipu.delivery_cursor c where c.tenant_id = t.id offset 0
    ) c
  ),
  active as materialized (
    select case when w.catch_up_at is not null then 'catching_up'
        when w.is_slow then 'slow' else 'fast' end as pace,
      quipu.count_past_cursor(w.id) + (
        select count(*) from (
          select from quipu.delivery_open d
          where d.endpoint_id = w.id and d.next_at <= k.now order by d.next_at limit $2
        ) open
      ) + (
        select count(*) from (
          select from quipu.delivery_open d
          where d.endpoint_id = w.id and d.in_flight_until > k.now and not d.is_leased limit $2
        ) queued
      ) + coalesce((
        select sum(cardinality(r.event_ids)) from quipu.delivery_run r
        where r.endpoint_id = w.id and r.leased_until <= k.now
      ), 0) as count,
      least((
        select d.next_at from quipu.delivery_open d
        where d.endpoint_id = w.id and d.next_at <= k.now order by d.next_at limit 1
      ), (
        select min(d.due_at) from quipu.delivery_open d where d.endpoint_id = w.id and d.in_flight_until is not null
      ), (
        select min(r.leased_until) from quipu.delivery_run r
        where r.endpoint_id = w.id and r.leased_until <= k.now
      ), (
        select n.logged_at from quipu.delivery_cursor c
        cross join lateral quipu.next_events(c.tenant_id, w.events, c.logged_at, c.seq, 1) n
        where c.endpoint_id = w.id
      )) as oldest
    from clock k cross join candidate n cross join lateral (
      select * from quipu.webhook_endpoint e where e.id = n.id offset 0
    ) w
    where w.status = 'active'
  )
  select p.pace, least($2, coalesce(sum(a.count), 0))::int as count,
    extract(epoch from max(k.now - a.oldest))::float8 as oldest_seconds
  from unnest(array['fast', 'slow', 'catching_up']) p(pace)
  cross join clock k left join active a on a.pace = p.pace
  group by p.pace`

/** Payouts in `processing`, including those in their first lease; ages are by the database's clock. */
const payouts = statement('backlog.payouts')`
  select count(*)::int as count,
    extract(epoch from quipu.store_now($1) - min(accepted_at))::float8 as oldest_seconds
  from (
    select h.accepted_at from quipu.held_payout h order by h.accepted_at limit $2
  ) counted`

const others = statement('backlog.others')`
  select (
    select count(*) from quipu.webhook_endpoint w
    where w.status = 'paused'
      and (select true from quipu.moving_tenant m where m.tenant_id = w.tenant_id and m.left_at is not null limit 1) is null
  )::int as paused, (
    select count(*) from (
      select from quipu.delivery_open d
      where d.in_flight_until is null and d.next_at > quipu.store_now($1) and d.attempt_count > 0 limit $2
    ) waiting
  )::int as retrying, exists (select from quipu.quoting q where q.status = 'paused') as quoting_paused`

/** Their rows are few: a worker settles each within seconds. */
const undecided = statement('backlog.undecided_deposits')`
  select count(*)::int as count,
    extract(epoch from quipu.store_now($1) - min(u.solid_at))::float8 as oldest_seconds,
    (array_agg(json_build_object('depositId', u.id, 'problem', u.problem) order by u.solid_at))[1] as oldest
  from (
    select d.id, d.problem, d.solid_at from quipu.deposit d
    where d.due_at < 'infinity' and d.status = 'pending' limit $2
  ) u`

/** Differences that the ledger check has found about balances and not seen corrected, nor an operator explained. */
const drift = statement('backlog.drift')`
  select coalesce(sum(abs(d.found_amount - d.expected_amount)), 0)::text as minor
  from quipu.difference d
  where d.status = 'open' and d.check_name = 'ledger' and d.kind in ('available', 'held')`

/** One row a check. Counting stops at the limit. */
const differences = statement('backlog.differences')`
  select c.name as "check", (
    select count(*) from (
      select from quipu.difference d
      where d.status = 'open' and d.check_name = c.name limit $2
    ) counted
  )::int as count, (
    select extract(epoch from quipu.store_now($1) - min(d.found_at)) from quipu.difference d
    where d.status = 'open' and d.check_name = c.name
  )::float8 as oldest_seconds
  from unnest($3::text[]) c (name)`

const scans = statement('backlog.scans')`
  select chain, view,
    greatest(0, extract(epoch from quipu.store_now($1) - block_at))::float8 as "behindSeconds"
  from quipu.scan where block_at is not null order by chain, view`

const reconciliations = statement('backlog.reconciliations')`
  select ${runColumns},
    greatest(0, extract(epoch from quipu.store_now($1) - r.completed_at))::float8 as "completedSeconds",
    coalesce((
      select greatest(0, extract(epoch from quipu.store_now($1) - min(o.created_at)))::float8
      from quipu.reconciliation_run o
      where o.completed_at is null and o.scheduled_for is not null and o.check_name = c.name
    ), 0) as "openSeconds",
    -- case: what there was to compare is read only of a run that compared nothing.
    case when r.compared > 0 or r.differences > 0 then false
      when r.check_name = 'chain' then exists (
        select from quipu.deposit d where d.solid = 'confirmed' and d.solid_at < r.created_at
      )
      else exists (
        select from quipu.payout_events(quipu.first_uuid_of(r.from_at + interval '${lineMarginMs} ms'),
          quipu.first_uuid_of(r.to_at - interval '${lineMarginMs} ms')) e
        cross join lateral (
          select p.created_at from quipu.payout p
          where p.tenant_id = e.tenant_id and p.id = e.payout_id limit 1
        ) p
        where e.status = 'completed' and p.created_at >= r.from_at + interval '${lineMarginMs} ms'
          and not exists (select from quipu.adjustment a where a.payout_id = e.payout_id)
      )
    end as "hasSkipped"
  from unnest(array['chain', 'network']) c (name)
  cross join lateral (
    select * from quipu.reconciliation_run r
    where r.check_name = c.name and r.completed_at is not null
    order by r.completed_at desc limit 1
  ) r`

const failing = statement('backlog.failing')`
  select count(*)::int as count,
    extract(epoch from quipu.store_now($1) - min(f.failing_since))::float8 as oldest_seconds
  from (
    select w.failing_since from quipu.webhook_endpoint w
    where w.is_failing_long and w.status = 'active' order by w.failing_since limit $2
  ) f`

const screening = statement('backlog.screening')`
  select count(*)::int as count,
    extract(epoch from quipu.store_now($1) - min(c.opened_at))::float8 as oldest_seconds
  from (
    select c.opened_at from quipu.screening_case c where c.status = 'open' order by c.opened_at limit $2
  ) c`

/** Entries are counted among the next ones past the cursor, up to the limit. */
const notices = statement('backlog.notices')`
  select count(e.at)::int as count,
    extract(epoch from quipu.store_now($1) - least(min(e.at), c.failing_since))::float8 as oldest_seconds
  from quipu.notice_cursor c
  left join lateral (
    select a.at from (
      select * from quipu.audit_log a where a.id > c.entry_id order by a.id limit $2
    ) a
    where quipu.is_noticed(a)
  ) e on true
  group by c.only_row`

/** The backlog in PostgreSQL. Its parts are read one after the other, and not in one snapshot. */
export const postgresBacklogStore = (database: Database): BacklogStore => ({
  read: async () => {
    const values = [database.clockOverride(), backlogCountMax]
    const due = await database.query<WaitingRow & { pace: DeliveryPace }>(deliveries, values)
    const [open] = await database.query<WaitingRow>(payouts, values)
    const [dead] = await database.query<WaitingRow>(failing, values)
    const [cases] = await database.query<WaitingRow>(screening, values)
    const [notified] = await database.query<WaitingRow>(notices, values)
    type Others = { readonly paused: number; readonly retrying: number; readonly quoting_paused: boolean }
    const [rest] = await database.query<Others>(others, values)
    type Undecided = WaitingRow & Pick<Backlog['undecidedDeposits'], 'oldest'>
    const [waiting] = await database.query<Undecided>(undecided, values)
    const ages = await ledgerAges(database)
    const [off] = await database.query<{ readonly minor: string }>(drift, [])
    type Open = WaitingRow & { readonly check: DifferenceCheck }
    const found = await database.query<Open>(differences, [...values, differenceChecks])
    type Newest = RunRow & Pick<Backlog['reconciliations'][number], 'completedSeconds' | 'openSeconds' | 'hasSkipped'>
    const compared = await database.query<Newest>(reconciliations, [database.clockOverride()])
    const at = (wanted: DeliveryPace): BacklogCount => waitingFromRow(due.find(({ pace }) => pace === wanted))
    return {
      payouts: waitingFromRow(open),
      deliveries: { fast: at('fast'), slow: at('slow'), catching_up: at('catching_up') },
      retryingDeliveries: rest?.retrying ?? 0,
      pausedEndpoints: rest?.paused ?? 0,
      failingEndpoints: waitingFromRow(dead),
      notices: waitingFromRow(notified),
      screeningCases: waitingFromRow(cases),
      isQuotingPaused: rest?.quoting_paused ?? false,
      ...(await readDecisions(database)),
      alerts: await readAlertsSent(database),
      undecidedDeposits: { ...waitingFromRow(waiting), oldest: waiting?.oldest ?? null },
      differences: differencesFromRows(found),
      ledger: { ...ages, driftMicroUsdt: BigInt(off?.minor ?? 0) },
      reconciliations: compared.map(({ completedSeconds, openSeconds, hasSkipped, ...row }) => {
        const run = runFromRow(row)
        const { check, slices, compared } = run
        return { check, run, completedSeconds, openSeconds, slices, compared, hasSkipped }
      }),
      endingTokens: await database.query<Backlog['endingTokens'][number]>(endingTokens, [database.clockOverride()]),
      heldLocks: await database.query<Backlog['heldLocks'][number]>(heldLocks, [heldLockSeconds]),
      scans: await database.query<Backlog['scans'][number]>(scans, [database.clockOverride()]),
    }
  },
})

const differencesFromRows = (
  rows: readonly (WaitingRow & { readonly check: DifferenceCheck })[],
): Backlog['differences'] =>
  Object.fromEntries(
    differenceChecks.map((check) => [check, waitingFromRow(rows.find((row) => row.check === check))]),
  ) as Backlog['differences']
