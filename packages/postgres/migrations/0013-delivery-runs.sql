-- The runs of deliveries whose worker died, and the signals of new events.
--
-- All functions that write deliveries lock in one order: wallets, endpoints by id, cursors, runs by endpoint
-- and `first_seq`, then open deliveries by endpoint and event. A claim serves endpoints in turn, not in that
-- order, so it skips locked rows.
--
-- Plans must not depend on statistics: a table that is nearly empty when a plan is made can have a backlog of
-- millions when it is used. So each row is found by one index lookup, and by its `ctid` in the next
-- statement, which does not change while the row is locked.

-- Moves these events of a run into rows of `delivery_open` with the run's lease; the others stay in the run.
-- The caller has locked the run.
create function quipu.open_run(run quipu.delivery_run, leaving uuid[]) returns void
language plpgsql as $$
declare
  staying uuid[] := array(select unnest(run.event_ids) except select unnest(leaving));
begin
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at, next_at,
    generation, fencing_token, in_flight_until, is_leased)
  select run.endpoint_id, l.event_id, run.tenant_id, l.event_type, l.logged_at, run.leased_until,
    run.generation, 1, run.leased_until, true
  from unnest(leaving) e (event_id)
  cross join lateral (
    select * from quipu.tenant_log l
    where l.tenant_id = run.tenant_id and l.logged_at = uuid_extract_timestamp(e.event_id)
      and l.event_id = e.event_id
    limit 1
  ) l;
  if cardinality(staying) = 0 then
    delete from quipu.delivery_run r where r.endpoint_id = run.endpoint_id and r.first_seq = run.first_seq;
  else
    update quipu.delivery_run r set event_ids = staying
    where r.endpoint_id = run.endpoint_id and r.first_seq = run.first_seq;
  end if;
end
$$;

-- Moves all events of runs whose lease has expired, as their worker died, into rows of `delivery_open`.
create function quipu.open_lost_runs(moment timestamptz) returns void
language plpgsql as $$
declare
  run quipu.delivery_run;
begin
  for run in
    select * from quipu.delivery_run r where r.leased_until <= moment
    order by r.leased_until limit 200 for update skip locked
  loop
    perform quipu.open_run(run, run.event_ids);
  end loop;
end
$$;

-- Consumes signals: marks the cursors of the signalled tenants as due. Signals a tenant again when a
-- concurrent claim has locked one of its cursors, as that claim may unmark the cursor without having read the
-- new events.
create function quipu.read_delivery_signals() returns void
language plpgsql as $$
declare
  tenants text[] collate "C";
  locked tid[];
  missed text[];
begin
  perform from quipu.delivery_signal limit 1;
  if not found then
    return;
  end if;
  with taken as (
    delete from quipu.delivery_signal n
    where n.ctid = any (array(select n.ctid from quipu.delivery_signal n limit 1000 for update skip locked))
    returning n.tenant_ids
  )
  select array_agg(distinct t.id) into tenants from taken cross join unnest(taken.tenant_ids) t (id);

  locked := array(
    select c.row_id from unnest(tenants) t (id) cross join lateral (
      select c.ctid as row_id from quipu.delivery_cursor c where c.tenant_id = t.id
      for update skip locked
    ) c
  );
  missed := array(
    select distinct t.id from unnest(tenants) t (id) cross join lateral (
      select c.ctid as row_id from quipu.delivery_cursor c where c.tenant_id = t.id
    ) c
    where c.row_id <> all (locked)
  );
  update quipu.delivery_cursor c set is_due = true
  where c.ctid = any (locked) and not c.is_due
    and exists (
      select from quipu.webhook_endpoint e where e.id = c.endpoint_id and e.status = 'active' offset 0
    );
  if cardinality(missed) > 0 then
    insert into quipu.delivery_signal (tenant_ids) values (missed);
  end if;
end
$$;

-- Deletes up to `most` open deliveries of a removed endpoint. Skips locked rows; a later claim deletes them.
create function quipu.drop_deliveries(endpoint text, most int) returns void
language plpgsql as $$
declare
  dropped tid[] := array(
    select d.ctid from quipu.delivery_open d
    where d.endpoint_id = endpoint limit most
    for update skip locked
  );
begin
  delete from quipu.delivery_open where ctid = any (dropped);
end
$$;
