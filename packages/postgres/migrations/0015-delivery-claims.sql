-- The claims of deliveries: which worker may send which delivery. The order of locks and the rule for plans
-- are in 0013-delivery-runs.sql.

-- Deliveries of an endpoint that were claimed together: those of a run, or a single one with a row of its
-- own.
create type quipu.claimed_deliveries as (
  endpoint_id text collate "C",
  tenant_id text collate "C",
  url text,
  secrets text,
  event_ids uuid[],
  body_sizes int[],
  bodies bytea, -- concatenated
  run_seq bigint, -- `first_seq` of the run; null for a single delivery
  fencing_token int,
  attempt int,
  is_resend boolean,
  lost_leases int,
  was_queued boolean -- and not claimed since
);

-- Leases open deliveries, or enqueues them.
create function quipu.take_open(
  p quipu.due_endpoint, taken tid[], leasing boolean, lease_end timestamptz
) returns setof quipu.claimed_deliveries
language sql
begin atomic
  with claimed as (
    update quipu.delivery_open d
    set in_flight_until = lease_end, next_at = lease_end, is_leased = leasing,
      due_at = case when not leasing then coalesce(d.due_at, d.next_at) end,
      fencing_token = d.fencing_token + leasing::int, lost_leases = d.lost_leases + d.is_leased::int,
      generation = p.generation,
      attempt_count = case when d.generation < p.generation then 0 else d.attempt_count end
    where d.ctid = any (taken)
    returning d.*, coalesce(old.due_at, old.next_at) as was_due_at, old.due_at is not null as was_queued
  )
  select p.endpoint_id, p.tenant_id, p.url, p.secrets, array[c.event_id], array[length(l.body)], l.body,
    null::bigint, c.fencing_token, c.attempt_count + 1, c.return_to is not null, c.lost_leases, c.was_queued
  from claimed c
  cross join lateral (
    select l.body from quipu.tenant_log l
    where l.tenant_id = c.tenant_id and l.logged_at = c.recorded_at and l.event_id = c.event_id
    limit 1
  ) l
  order by c.was_due_at;
end;

-- Enqueues events of the log: inserts a row of `delivery_open` for each.
create function quipu.enqueue_logged(p quipu.due_endpoint, lease_end timestamptz)
returns setof quipu.claimed_deliveries
language sql
begin atomic
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at, next_at,
    generation, in_flight_until, due_at)
  select p.endpoint_id, l.event_id, p.tenant_id, l.event_type, l.logged_at, lease_end, p.generation, lease_end,
    l.logged_at
  from unnest(p.logged_at, p.seqs) i (logged_at, seq)
  cross join lateral (
    select * from quipu.tenant_log l
    where l.tenant_id = p.tenant_id and l.logged_at = i.logged_at and l.seq = i.seq limit 1
  ) l
  returning p.endpoint_id, p.tenant_id, p.url, p.secrets, array[event_id], '{}'::int[], ''::bytea,
    null::bigint, 0, 1, false, 0, false;
end;

-- The run of up to 64 events that begins with the event at this index.
create function quipu.claimed_run(p quipu.due_endpoint, begins int) returns quipu.claimed_deliveries
language plpgsql immutable as $$
declare
  bodies bytea := p.bodies;
begin
  if begins > 1 then
    bodies := substr(bodies, 1 + (select sum(s) from unnest(p.body_sizes[:begins - 1]) s)::int);
  end if;
  return row(p.endpoint_id, p.tenant_id, p.url, p.secrets, p.event_ids[begins : begins + 63],
    p.body_sizes[begins : begins + 63], bodies, p.seqs[begins], 1, 1, false, 0, false);
end
$$;

-- Claims up to `most` due deliveries (`leasing`), or enqueues them: up to `per_endpoint` of each endpoint,
-- beginning with the first endpoint after `after_id` by id, and going round once. Its cost does not grow with
-- the backlog: an endpoint with due deliveries is found by its first open delivery or its cursor, and only
-- what is taken is read. Returns at once for the class `slow` when no endpoint is slow.
--
-- `with_lost_runs`: also moves expired runs into rows. Callers set it once a second, as the index scan that
-- finds these runs also reads the entries of all runs that were deleted since the last vacuum.
--
-- Reads and writes as many endpoints together as would suffice if each had a full share, as starting a
-- statement costs more than changing a row.
create function quipu.claim_deliveries(
  most int, lease_seconds float8, per_endpoint int, per_tenant int, slow boolean,
  catch_up_per_second float8, leasing boolean, after_id text, with_lost_runs boolean,
  clock_override timestamptz
) returns setof quipu.claimed_deliveries
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(moment, lease_seconds);
  last_id text collate "C" := after_id;
  until_id text collate "C"; -- null until the last endpoint is reached: then where the round ends
  batch int;
  endpoints text[] collate "C";
  locked record;
  p quipu.due_endpoint;
  runs quipu.delivery_run[];
  remaining int := most;
  open_first boolean;
  is_filter_done boolean;
begin
  if slow and not exists (select from quipu.webhook_endpoint e where e.is_slow) then
    return;
  end if;
  if with_lost_runs then
    perform quipu.open_lost_runs(moment);
  end if;
  perform quipu.read_delivery_signals();
  while remaining > 0 loop
    batch := 1 + (remaining - 1) / per_endpoint;
    endpoints := quipu.next_due_endpoints(last_id, until_id, batch, moment);
    locked := quipu.lock_due_endpoints(endpoints, slow, moment);
    runs := '{}';
    is_filter_done := false;
    for p in
      select * from quipu.take_due_endpoints(locked.endpoints, locked.with_log, remaining, per_endpoint,
        per_tenant, slow, catch_up_per_second, moment)
    loop
      remaining := remaining - p.taken;
      is_filter_done := is_filter_done or p.is_filter_done;
      open_first := coalesce(p.open_due[1] < p.logged_at[1], true);
      if p.open_rows is not null and open_first then
        return query select * from quipu.take_open(p, p.open_rows, leasing, lease_end);
      end if;
      if leasing then
        for begins in 1..coalesce(cardinality(p.event_ids), 0) by 64 loop
          runs := array_append(runs, row(p.endpoint_id, p.seqs[begins], p.logged_at[begins], lease_end,
            p.tenant_id, p.generation, p.event_ids[begins : begins + 63])::quipu.delivery_run);
          return next quipu.claimed_run(p, begins);
        end loop;
      else
        return query select * from quipu.enqueue_logged(p, lease_end);
      end if;
      if p.open_rows is not null and not open_first then
        return query select * from quipu.take_open(p, p.open_rows, leasing, lease_end);
      end if;
    end loop;
    insert into quipu.delivery_run select * from unnest(runs);
    continue when is_filter_done; -- Reads the same endpoints again, by their next filter.
    if cardinality(endpoints) < batch then
      exit when until_id is not null;
      until_id := after_id;
      last_id := '';
    else
      last_id := endpoints[batch];
    end if;
  end loop;
end
$$;

-- Inserts the row of `delivery_open` of a delivery that is pending without one: its event is past the cursor
-- of the endpoint, or in a run whose lease has expired.
create function quipu.open_delivery(endpoint text, event uuid, moment timestamptz) returns void
language plpgsql as $$
declare
  run quipu.delivery_run;
  past quipu.delivery_cursor;
  entry record;
begin
  select * into run from quipu.delivery_run r
  where r.endpoint_id = endpoint and event = any (r.event_ids) and r.leased_until <= moment for update;
  if found then
    perform quipu.open_run(run, array[event]);
    return;
  end if;
  select * into past from quipu.delivery_cursor c where c.endpoint_id = endpoint;
  if not found or not exists (select from quipu.pending_event(past, event)) then
    return;
  end if;
  select * into past from quipu.delivery_cursor c where c.endpoint_id = endpoint for no key update;
  if not found then
    return;
  end if;
  select * into entry from quipu.pending_event(past, event);
  if found then
    insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at, next_at,
      generation)
    select endpoint, event, e.tenant_id, entry.event_type, entry.logged_at, entry.logged_at, e.generation
    from quipu.webhook_endpoint e where e.id = endpoint;
    update quipu.delivery_cursor c set ahead_seq = greatest(c.ahead_seq, entry.seq)
    where c.endpoint_id = endpoint;
  end if;
end
$$;

-- Claims one delivery by name, if it is due or queued, outside of the endpoints' turns and limits.
create function quipu.claim_delivery(
  endpoint text, event uuid, lease_seconds float8, clock_override timestamptz
) returns setof quipu.claimed_deliveries
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(moment, lease_seconds);
begin
  perform quipu.open_delivery(endpoint, event, moment);
  return query
  with claimed as (
    update quipu.delivery_open d
    set in_flight_until = lease_end, next_at = lease_end, due_at = null, is_leased = true,
      fencing_token = d.fencing_token + 1, lost_leases = d.lost_leases + d.is_leased::int,
      generation = e.generation,
      attempt_count = case when d.generation < e.generation then 0 else d.attempt_count end
    from quipu.webhook_endpoint e
    where d.endpoint_id = endpoint and d.event_id = event and e.id = endpoint
      and (select true from quipu.moving_tenant m where m.tenant_id = e.tenant_id limit 1) is null
      and (e.status = 'active' or d.return_to is not null)
      and (d.next_at <= moment or (d.in_flight_until is not null and not d.is_leased))
    returning d.*, e.url, e.secrets, old.due_at is not null as was_queued
  )
  select c.endpoint_id, c.tenant_id, c.url, c.secrets::text, array[c.event_id], array[length(l.body)], l.body,
    null::bigint, c.fencing_token, c.attempt_count + 1, c.return_to is not null, c.lost_leases,
    c.was_queued
  from claimed c
  cross join lateral (
    select l.body from quipu.tenant_log l
    where l.tenant_id = c.tenant_id and l.logged_at = c.recorded_at and l.event_id = c.event_id
    limit 1
  ) l;
end
$$;

-- Makes deliveries due again that were enqueued and not claimed; `due_at` stays. Locks the rows by their keys, in the
-- order of all functions, and then updates them by `ctid`: in a statement of its own, as one that waits for a lock
-- does not see the row that it has locked.
create function quipu.requeue_deliveries(endpoints text[], events uuid[], clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  queued tid[] := array(
    select o.row_id
    from (
      select * from unnest(endpoints, events) r (endpoint_id, event_id) order by 1, 2
    ) r
    cross join lateral (
      select o.ctid as row_id from quipu.delivery_open o
      where o.endpoint_id = r.endpoint_id and o.event_id = r.event_id for update
    ) o
  );
begin
  update quipu.delivery_open d
  set in_flight_until = null, next_at = coalesce(d.due_at, quipu.store_now(clock_override))
  where num_nulls(d.in_flight_until) = 0 and not d.is_leased and d.ctid = any (queued);
end
$$;
