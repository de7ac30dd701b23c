-- Reads without a tenant (docs/decisions/indexes-and-plans.md).

create index proposal_of_subject on quipu.proposal (subject, created_at, id);
create index difference_of_subject on quipu.difference (subject, found_at, id);
-- With `funding_entry_posting`, all entries of a deposit.
create index funding_entry_notice on quipu.funding_entry (subject_id, tenant_id) where amount is null;

-- Payouts that were not completed, and their events, of all tenants. The condition is that of the constraint
-- `payout_end_sound`, in the words of these lists: the lists of a tenant say `status <> 'completed'`, so that the
-- planner cannot take these indexes for them.
create index payout_end_all_exceptions on quipu.payout_end (status, payout_id) where error_code is not null;
create index payout_end_all_exceptions_event on quipu.payout_end (status, event_id) where error_code is not null;

-- Rows are appended, and an event's id begins with its instant. So two ids for each 128 pages of the table lead to the
-- few pages of an instant, and an insertion costs nothing more that can be measured.
create index payout_end_event on quipu.payout_end using brin (event_id) with (autosummarize = on);

-- The ended payouts whose events have ids within these bounds, inclusive, in no order. The settings leave the planner
-- this index alone: without statistics it would read the table, and elsewhere bitmaps are off.
create function quipu.payout_events(since uuid, until uuid) returns setof quipu.payout_end
language sql stable strict set enable_seqscan = off set enable_bitmapscan = on
begin atomic
  select * from quipu.payout_end e where e.event_id >= since and e.event_id <= until;
end;
comment on function quipu.payout_events is 'for processes';

-- The `most` newest of them from `since` on and before `before`. No index has all payouts in the order of their ends,
-- but `payout_end_pkey` has them in that of their creation: the period begins at the creation of the newest ones with
-- an id below `payout_before`, and is made longer while it has too few events. The index of events' ids is read from
-- its beginning each time, so what it leads to is read once.
create function quipu.newest_payout_events(since uuid, before uuid, payout_before text, most int)
returns setof quipu.payout_end
language plpgsql stable as $$
declare
  payouts bigint := 2 * most;
  first uuid;
  newest quipu.payout_end[];
begin
  loop
    first := greatest(since, (
      select quipu.uuid_at('00000000-0000-0000-0000-000000000000', p.created_at)
      from (
        select e.payout_id, e.tenant_id from quipu.payout_end e where e.payout_id < payout_before
        order by e.payout_id desc offset payouts - 1 limit 1
      ) e
      cross join lateral (
        select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = e.payout_id limit 1
      ) p
    ));
    newest := array(
      select e from quipu.payout_events(first, before) e where e.event_id < before
      order by e.event_id desc limit most
    );
    exit when first = since or cardinality(newest) = most;
    payouts := payouts * 8;
  end loop;
  return query select * from unnest(newest);
end
$$;
comment on function quipu.newest_payout_events is 'for processes';
