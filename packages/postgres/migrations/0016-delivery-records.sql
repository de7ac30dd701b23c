-- Recording attempts of deliveries, and what they change at the endpoint. Lock order and plans as in
-- 0013-delivery-runs.sql.

-- Appends an attempt, and keeps the newest 24 (`attemptsOnRecord` in packages/core): after n earlier attempts
-- they begin at index n - 22.
create function quipu.newest_attempts(attempts text[], attempt text) returns text[]
language sql immutable
return (attempts || attempt)[greatest(cardinality(attempts) - 22, 1):];

-- Records parts of runs that were delivered at the first attempt, which is the usual case. Part `i` belongs
-- to the run with `first_seqs[i]`; its events begin at `starts[i]`, from 1, and end before the next part.
-- Returns for each part whether it is recorded. Needs no token: a later claim first moves its events out of the run
-- (`open_run`).
--
-- A part is not recorded when one of its events is no longer in the run, or when it changes the endpoint, as
-- the endpoint has consecutive failures or is slow. The caller then uses `record_attempts`.
create function quipu.record_runs(
  endpoints text[], first_seqs bigint[], starts int[], events uuid[], attempted timestamptz[],
  status_codes int[], latencies_ms int[], excerpts text[], clock_override timestamptz
) returns boolean[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  recorded boolean[] := array_fill(false, array[cardinality(endpoints)]);
  place int;
begin
  perform from (
    select * from unnest(endpoints, first_seqs) p (endpoint_id, first_seq) order by 1, 2
  ) p
  cross join lateral (
    select from quipu.delivery_run r
    where r.endpoint_id = p.endpoint_id and r.first_seq = p.first_seq for update
  ) r;
  for place in
    with part as materialized (
      select p.place, r.first_at, r.first_seq, r.endpoint_id, r.tenant_id, r.row_id, p.first, p.last,
        cardinality(r.event_ids) - (p.last - p.first + 1) as left_count
      from (
        select distinct on (1, 2) endpoints[i] as endpoint_id, first_seqs[i] as first_seq, i as place,
          starts[i] as first, coalesce(starts[i + 1], cardinality(events) + 1) - 1 as last
        from generate_subscripts(endpoints, 1) i
        order by 1, 2
      ) p
      cross join lateral (
        select r.*, r.ctid as row_id from quipu.delivery_run r
        where r.endpoint_id = p.endpoint_id and r.first_seq = p.first_seq limit 1
      ) r
      cross join lateral (
        select from quipu.webhook_endpoint e
        where e.id = p.endpoint_id and e.consecutive_failures = 0 and not e.is_slow
          and e.failing_since is null
        limit 1
      ) e
      where events[p.first:p.last] <@ r.event_ids
    ), finished as (
      delete from quipu.delivery_run r
      where r.ctid = any (array(select p.row_id from part p where p.left_count = 0))
    ), left_over as (
      update quipu.delivery_run r
      set event_ids = array(select unnest(r.event_ids) except select unnest(events[p.first:p.last]))
      from part p where r.ctid = p.row_id and p.left_count > 0
    ), delivered as (
      insert into quipu.delivered_run (first_at, first_seq, ended_at, endpoint_id, part, tenant_id,
        event_ids, attempted_at, status_codes, latencies_ms, excerpts)
      select p.first_at, p.first_seq, quipu.store_now(clock_override), p.endpoint_id, p.left_count, p.tenant_id,
        events[p.first:p.last], attempted[p.first:p.last], status_codes[p.first:p.last],
        latencies_ms[p.first:p.last],
        case when num_nonnulls(variadic excerpts[p.first:p.last]) > 0 then excerpts[p.first:p.last] end
      from part p
    )
    select p.place from part p
  loop
    recorded[place] := true;
  end loop;
  return recorded;
end
$$;

-- The usual case of deliveries with a row: all were delivered, and no endpoint changes.
--
-- Compares endpoints by `= any (array[…])`: with `=` the planner can choose to join every open delivery with
-- the batch, which seems to cost less while statistics say that the table is nearly empty.
create function quipu.record_delivered(
  endpoints text[], events uuid[], tokens int[], attempts text[], counts int[], clock_override timestamptz
) returns int[]
language plpgsql as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  place int;
begin
  for place in
    with arrived as (
      delete from quipu.delivery_open d
      using (
        select * from unnest(endpoints, events, tokens, attempts)
          with ordinality b (endpoint_id, event_id, fencing_token, attempt, place)
        order by b.endpoint_id, b.event_id
      ) b
      where d.endpoint_id = any (array[b.endpoint_id]) and d.event_id = b.event_id
        and d.fencing_token = b.fencing_token and d.is_leased
      returning d.*, b.attempt as newest, b.place
    ), ended as (
      insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
        ended_at, fencing_token, has_paused, attempts)
      select a.endpoint_id, a.event_id, a.tenant_id, a.event_type, a.recorded_at, 'delivered',
        moment, a.fencing_token, false, quipu.newest_attempts(a.attempts, a.newest)
      from arrived a
    )
    select a.place from arrived a
  loop
    counts[place] := 0;
  end loop;
  return counts;
end
$$;

-- Moves the deliveries of a batch that are still in their runs into rows of `delivery_open`.
create function quipu.open_recorded_runs(endpoints text[], events uuid[]) returns void
language plpgsql as $$
declare
  run quipu.delivery_run;
begin
  for run in
    select r.* from (
      select b.endpoint_id, array_agg(b.event_id) as event_ids
      from unnest(endpoints, events) b (endpoint_id, event_id)
      group by b.endpoint_id order by b.endpoint_id
    ) b
    cross join lateral (
      select * from quipu.delivery_run r
      where r.endpoint_id = b.endpoint_id and r.event_ids && b.event_ids
      order by r.first_seq for update
    ) r
  loop
    perform quipu.open_run(run, array(
      select b.event_id from unnest(endpoints, events) b (endpoint_id, event_id)
      where b.endpoint_id = run.endpoint_id and b.event_id = any (run.event_ids)
    ));
  end loop;
end
$$;

-- The row of `delivered_run` that has this event, if any.
create function quipu.delivered_in_run(endpoint text, event uuid) returns setof quipu.delivered_run
language sql stable
begin atomic
  select r.*
  from quipu.webhook_endpoint e
  cross join lateral (
    select l.logged_at, l.seq from quipu.tenant_log l
    where l.tenant_id = e.tenant_id and l.logged_at = uuid_extract_timestamp(event)
      and l.event_id = event
    limit 1
  ) l
  cross join lateral (
    select r.first_at, r.first_seq from quipu.delivered_run r
    where r.endpoint_id = endpoint and r.first_at <= l.logged_at
      and (r.first_at, r.first_seq) <= (l.logged_at, l.seq)
    order by r.first_at desc, r.first_seq desc limit 1
  ) f
  cross join lateral (
    select * from quipu.delivered_run r
    where r.endpoint_id = endpoint and r.first_at = f.first_at and r.first_seq = f.first_seq
      and event = any (r.event_ids)
    limit 1
  ) r
  where e.id = endpoint;
end;

-- The endpoints among these that attempts with these results change: all but the active ones without failures, whose
-- class stays.
create function quipu.changing_endpoints(
  endpoints text[], results text[], slow boolean[], alert_after int[], moment timestamptz
) returns text[]
language sql stable
return array(
  select distinct b.endpoint_id
  from unnest(endpoints, results, slow, alert_after) b (endpoint_id, result, is_slow, alert_after)
  left join lateral (
    select * from quipu.webhook_endpoint e where e.id = b.endpoint_id limit 1
  ) e on true
  where e.id is null or b.result = 'exhausted' or b.is_slow <> e.is_slow
    or (b.result = 'delivered' and e.consecutive_failures > 0)
    or (b.result = 'delivered') = (e.failing_since is not null)
    or (not e.is_failing_long and e.failing_since <= moment - make_interval(secs => b.alert_after))
);

-- An endpoint after an attempt. `is_counted`: the attempt ended a delivery, and was no resend.
create function quipu.endpoint_after(
  endpoint quipu.webhook_endpoint, result text, is_counted boolean, pause_after int, alert_after int,
  moment timestamptz
) returns quipu.webhook_endpoint
language plpgsql stable as $$
begin
  if is_counted then
    endpoint.consecutive_failures := case result when 'delivered' then 0 else endpoint.consecutive_failures + 1 end;
    if endpoint.status = 'active' and endpoint.consecutive_failures >= pause_after then
      endpoint.status := 'paused';
      endpoint.paused_at := moment;
      endpoint.updated_at := moment;
    end if;
  end if;
  endpoint.failing_since := case when result <> 'delivered' then coalesce(endpoint.failing_since, moment) end;
  endpoint.is_failing_long := endpoint.failing_since is not null and (endpoint.is_failing_long or (
    endpoint.status = 'active' and endpoint.failing_since <= moment - make_interval(secs => alert_after)));
  return endpoint;
end
$$;

-- Ends an open delivery. A resend that failed returns to its earlier state.
create function quipu.end_delivery(row_id tid, result text, attempt text, has_paused boolean, moment timestamptz)
returns void
language sql
begin atomic
  with ended as (
    delete from quipu.delivery_open where ctid = row_id returning *
  )
  insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
    ended_at, fencing_token, has_paused, attempts)
  select e.endpoint_id, e.event_id, e.tenant_id, e.event_type, e.recorded_at,
    case result when 'delivered' then result else coalesce(e.return_to, 'exhausted') end,
    case result when 'delivered' then moment else coalesce(e.ended_at, moment) end,
    e.fencing_token, has_paused, quipu.newest_attempts(e.attempts, attempt)
  from ended e;
end;

-- Makes an open delivery due again after a failed attempt. One of a resend is none of the retry schedule.
create function quipu.retry_delivery(row_id tid, attempt text, due_at timestamptz) returns void
language sql
begin atomic
  update quipu.delivery_open d
  set next_at = retry_delivery.due_at, attempt_count = d.attempt_count + (d.return_to is null)::int,
    recorded_token = d.fencing_token, in_flight_until = null, is_leased = false, lost_leases = 0,
    attempts = quipu.newest_attempts(d.attempts, attempt), return_to = null
  where d.ctid = row_id;
end;

-- Locks the open deliveries of a batch, in the order of all functions.
create function quipu.lock_open_deliveries(endpoints text[], events uuid[]) returns void
language plpgsql as $$
begin
  perform from (
    select b.endpoint_id, b.event_id from unnest(endpoints, events) b (endpoint_id, event_id)
    order by b.endpoint_id, b.event_id
  ) b
  cross join lateral (
    select from quipu.delivery_open d
    where d.endpoint_id = b.endpoint_id and d.event_id = b.event_id for update
  ) d;
end
$$;

-- Records attempts, in the given order. `results` are `delivered`, `retry` or `exhausted`; `attempts` are
-- JSON. Returns for each the endpoint's consecutive failures (exhausted events in a row) after it, which are
-- null when the claim is not the newest or its endpoint was removed, whether it has paused the endpoint, and
-- whether it is the first one that finds the active endpoint failing since `alert_after` seconds.
--
-- Locks only endpoints that change. A delivered event does not lock an endpoint without consecutive failures;
-- if a concurrent call is about to add one, the delivered event counts as the earlier.
create function quipu.record_attempts(
  endpoints text[], events uuid[], tokens int[], attempts text[], results text[], retry_ms float8[],
  slow boolean[], pause_after int[], alert_after int[], clock_override timestamptz,
  out counts int[], out pauses boolean[], out failing boolean[]
)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  changing text[] collate "C" := quipu.changing_endpoints(endpoints, results, slow, alert_after,
    quipu.store_now(clock_override));
  moment timestamptz;
  item record;
  w quipu.webhook_endpoint;
  after quipu.webhook_endpoint;
  seen uuid[]; -- events of this endpoint that are recorded
  is_resend boolean;
  has_ended boolean;
begin
  counts := array_fill(null::int, array[cardinality(endpoints)]);
  pauses := array_fill(false, array[cardinality(endpoints)]);
  failing := pauses;
  if cardinality(changing) > 0 then
    perform from quipu.webhook_endpoint e where e.id = any (changing)
    order by e.id for no key update;
  end if;
  perform quipu.open_recorded_runs(endpoints, events);
  if cardinality(changing) = 0 and 'delivered' = all (results) then
    counts := quipu.record_delivered(endpoints, events, tokens, attempts, counts,
      clock_override);
    return;
  end if;
  perform quipu.lock_open_deliveries(endpoints, events);
  moment := quipu.store_now(clock_override);

  for item in
    select b.*, d.fencing_token = b.token and d.is_leased as is_newest, d.row_id, d.generation, d.return_to
    from unnest(endpoints, events, tokens, attempts, results, retry_ms, slow, pause_after, alert_after)
      with ordinality b (endpoint_id, event_id, token, attempt, result, retry_ms, is_slow, pause_after,
        alert_after, place)
    left join lateral (
      select *, d.ctid as row_id from quipu.delivery_open d
      where d.endpoint_id = b.endpoint_id and d.event_id = b.event_id limit 1
    ) d on true
    order by b.endpoint_id, b.place
  loop
    if item.endpoint_id is distinct from w.id then
      select * into w from quipu.webhook_endpoint e where e.id = item.endpoint_id;
      seen := '{}';
    end if;
    continue when w.id is null or item.is_newest is not true or item.event_id = any (seen);
    seen := array_append(seen, item.event_id);
    is_resend := item.return_to is not null;
    has_ended := item.result = 'delivered' or case when is_resend then item.return_to <> 'queued'
      else item.result = 'exhausted' and item.generation = w.generation end;
    after := w;
    if item.endpoint_id = any (changing) then
      after := quipu.endpoint_after(w, item.result, has_ended and not is_resend, item.pause_after, item.alert_after,
        moment);
      after.is_slow := item.is_slow;
    end if;
    counts[item.place] := after.consecutive_failures;
    pauses[item.place] := after.status <> w.status;
    failing[item.place] := after.is_failing_long and not w.is_failing_long;
    if has_ended then
      perform quipu.end_delivery(item.row_id, item.result, item.attempt, pauses[item.place], moment);
    else
      perform quipu.retry_delivery(item.row_id, item.attempt,
        quipu.due_after(moment, coalesce(item.retry_ms, 0) / 1000));
    end if;
    if after is distinct from w then
      update quipu.webhook_endpoint e
      set consecutive_failures = after.consecutive_failures, is_slow = after.is_slow, status = after.status,
        paused_at = after.paused_at, updated_at = after.updated_at, failing_since = after.failing_since,
        is_failing_long = after.is_failing_long
      where e.id = w.id;
      w := after;
    end if;
  end loop;
end
$$;

comment on function quipu.delivered_in_run is 'for processes';
