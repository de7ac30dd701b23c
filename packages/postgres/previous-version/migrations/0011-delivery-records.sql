-- What came of deliveries, and what follows for their endpoints. Locks and plans are as with claims.

-- The attempts on record after one more: the newest 24.
create function quipu.newest_attempts(attempts text[], attempt text) returns text[]
language sql immutable
return (attempts || attempt)[greatest(cardinality(attempts) - 22, 1):];

-- One attempt, by the holder of a claim.
create type quipu.attempt_record as (
  endpoint_id text collate "C",
  event_id uuid,
  fence int,
  attempt text, -- as JSON
  verdict text, -- `delivered`, `retry` or `exhausted`
  retry_ms float8,
  is_slow boolean,
  pause_after int
);

-- The usual case of what follows: everything has arrived, and no endpoint changes.
--
-- An `=` between the endpoints could also be planned the other way round, from every open delivery to
-- the batch: of a table that was found nearly empty that seems to cost less.
create function quipu.record_delivered(
  batch quipu.attempt_record[], streaks int[], at timestamptz
) returns int[]
language plpgsql as $$
declare
  moment timestamptz := quipu.store_now(at);
  place int;
begin
  for place in
    with arrived as (
      delete from quipu.delivery_open d
      using (
        select * from unnest(batch) with ordinality b order by b.endpoint_id, b.event_id
      ) b
      where d.endpoint_id = any (array[b.endpoint_id]) and d.event_id = b.event_id
        and d.fence = b.fence and d.is_leased
      returning d.*, b.attempt as newest, b.ordinality
    ), ended as (
      insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
        ended_at, fence, has_paused, attempts)
      select endpoint_id, event_id, tenant_id, event_type, recorded_at, 'delivered',
        moment, fence, false, quipu.newest_attempts(attempts, newest)
      from arrived
    )
    select ordinality from arrived
  loop
    streaks[place] := 0;
  end loop;
  return streaks;
end
$$;

-- Records attempts: for each, in the order given, the endpoint's streak after it, which is null when
-- the claim is not the newest or what it was on is gone; and whether it has paused the endpoint.
-- An attempt that is on record already counts as recorded if `repeated`.
--
-- Endpoints are locked only when they change. A streak of 0 that another is just about to raise is
-- left alone: the delivery that has arrived here then comes before the one that has not.
create function quipu.record_attempts(
  batch quipu.attempt_record[], repeated boolean, at timestamptz,
  out streaks int[], out pauses boolean[]
)
language plpgsql as $$
declare
  size int[] := array[cardinality(batch)];
  moment timestamptz;
  changing text[] collate "C";
  item record;
  w quipu.webhook_endpoint;
  is_changing boolean;
  seen uuid[];
  is_counted boolean;
  has_paused boolean;
begin
  streaks := array_fill(null::int, size);
  pauses := array_fill(false, size);
  changing := array(
    select distinct b.endpoint_id from unnest(batch) b
    left join lateral (
      select * from quipu.webhook_endpoint e where e.id = b.endpoint_id limit 1
    ) e on true
    where e.id is null or b.verdict = 'exhausted' or b.is_slow <> e.is_slow
      or (b.verdict = 'delivered' and e.streak > 0)
  );
  if not repeated and cardinality(changing) = 0
    and not exists (select from unnest(batch) b where b.verdict <> 'delivered') then
    streaks := quipu.record_delivered(batch, streaks, at);
    return;
  end if;
  if cardinality(changing) > 0 then
    perform from quipu.webhook_endpoint e where e.id = any (changing)
    order by e.id for no key update;
  end if;
  perform from (
    select b.endpoint_id, b.event_id from unnest(batch) b order by b.endpoint_id, b.event_id
  ) b
  cross join lateral (
    select from quipu.delivery_open d
    where d.endpoint_id = b.endpoint_id and d.event_id = b.event_id for update
  ) d;
  moment := quipu.store_now(at);

  for item in
    select b.*, b.ordinality as place, d.fence = b.fence and d.is_leased as is_newest,
      d.row_id, d.tenant_id, d.event_type, d.recorded_at, d.round, d.recorded_fence, d.return_to,
      d.ended_at, quipu.newest_attempts(d.attempts, b.attempt) as attempts
    from unnest(batch) with ordinality b
    left join lateral (
      select *, d.ctid as row_id from quipu.delivery_open d
      where d.endpoint_id = b.endpoint_id and d.event_id = b.event_id limit 1
    ) d on true
    order by b.endpoint_id, b.ordinality
  loop
    if item.endpoint_id is distinct from w.id then
      select * into w from quipu.webhook_endpoint e where e.id = item.endpoint_id;
      is_changing := item.endpoint_id = any (changing);
      seen := '{}';
    end if;
    continue when w.id is null;

    if item.is_newest is not true or item.event_id = any (seen) then
      if repeated and item.recorded_fence is null then
        select d.has_paused into has_paused from quipu.delivery d
        where d.endpoint_id = item.endpoint_id and d.event_id = item.event_id
          and d.recorded_at = uuid_extract_timestamp(item.event_id) and d.fence = item.fence;
        continue when not found;
        streaks[item.place] := w.streak;
        pauses[item.place] := has_paused;
      elsif repeated and item.recorded_fence = item.fence then
        streaks[item.place] := w.streak;
      end if;
      continue;
    end if;
    seen := array_append(seen, item.event_id);
    is_counted := item.return_to is null;

    if item.verdict <> 'delivered' and (item.return_to = 'held' or (is_counted
      and (item.verdict = 'retry' or item.round < w.round))) then
      update quipu.delivery_open
      set next_at = moment + make_interval(secs => coalesce(item.retry_ms, 0) / 1000),
        attempt = attempt + is_counted::int, recorded_fence = item.fence, out_until = null,
        is_leased = false, lost_leases = 0, attempts = item.attempts, return_to = null
      where ctid = item.row_id;
    else
      if is_counted and is_changing then
        w.streak := case item.verdict when 'delivered' then 0 else w.streak + 1 end;
        if w.status = 'active' and w.streak >= item.pause_after then
          pauses[item.place] := true;
          w.status := 'paused';
          w.paused_at := moment;
          w.updated_at := moment;
        end if;
      end if;
      delete from quipu.delivery_open where ctid = item.row_id;
      insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
        ended_at, fence, has_paused, attempts)
      values (item.endpoint_id, item.event_id, item.tenant_id, item.event_type, item.recorded_at,
        case item.verdict when 'delivered' then 'delivered' else coalesce(item.return_to, 'exhausted') end,
        case item.verdict when 'delivered' then moment else coalesce(item.ended_at, moment) end,
        item.fence, pauses[item.place], item.attempts);
    end if;
    streaks[item.place] := w.streak;

    if is_changing then
      update quipu.webhook_endpoint e
      set streak = w.streak, is_slow = item.is_slow, status = w.status, paused_at = w.paused_at,
        updated_at = w.updated_at
      where e.id = w.id and (e.streak, e.is_slow) <> (w.streak, item.is_slow);
    end if;
  end loop;
end
$$;

-- Makes an endpoint active, without a streak; null when there is none. What was held is due by that,
-- and what was to be tried later is due now; what is out just now is left alone, and of an older round
-- wherever it ends. What ran out of attempts lately is open again, also if it is being sent again just
-- now. `requeued`: at a paused endpoint all that was held, at an active one what is due sooner.
--
-- Planned anew each time: it is rare, and may move any number of rows.
create function quipu.reactivate_endpoint(
  tenant text, endpoint text, redeliver_seconds float8, changed_at timestamptz, at timestamptz,
  out requeued int, out redelivered int
)
language plpgsql
set enable_seqscan to off set enable_bitmapscan to off
set plan_cache_mode to force_custom_plan
as $$
declare
  w quipu.webhook_endpoint;
  moment timestamptz;
  since timestamptz;
  newest_round int;
  found_rows tid[];
  opened int;
begin
  select * into w from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant for no key update;
  if not found then
    return;
  end if;
  moment := quipu.store_now(at);
  since := moment - make_interval(secs => redeliver_seconds);
  newest_round := w.round + 1;

  if w.status = 'paused' then
    select count(*) into requeued from quipu.delivery_open d
    where d.endpoint_id = endpoint and (d.return_to is null or d.return_to = 'held');
  end if;
  found_rows := array(
    select d.ctid from quipu.delivery_open d
    where d.endpoint_id = endpoint and d.next_at > moment and d.out_until is null
      and d.return_to is null
    order by d.event_id for update
  );
  update quipu.delivery_open set next_at = moment where ctid = any (found_rows);
  requeued := coalesce(requeued, cardinality(found_rows));

  found_rows := array(
    select d.ctid from quipu.delivery_open d
    where d.endpoint_id = endpoint and d.return_to is not null
      and (d.return_to = 'held' or (d.return_to = 'exhausted' and d.ended_at >= since))
    order by d.event_id for update
  );
  with again as (
    update quipu.delivery_open set return_to = null, ended_at = null, round = newest_round - 1
    where ctid = any (found_rows)
    returning old.return_to as was
  )
  select count(*) filter (where was = 'exhausted') into redelivered from again;

  with ended as (
    delete from quipu.delivery d
    where d.endpoint_id = endpoint and d.status = 'exhausted' and d.ended_at >= since
    returning d.*
  )
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at,
    next_at, round, fence, recorded_fence, attempts)
  select e.endpoint_id, e.event_id, e.tenant_id, e.event_type, e.recorded_at,
    moment, newest_round, e.fence, e.fence, e.attempts
  from ended e;
  get diagnostics opened = row_count;
  redelivered := redelivered + opened;

  update quipu.webhook_endpoint e
  set status = 'active', streak = 0, paused_at = null,
    -- On an active endpoint with nothing to send sooner, attempts that are under way stay counted.
    round = case when w.status = 'paused' or requeued + redelivered > 0
      then newest_round else w.round end,
    drained_at = case when requeued + redelivered > 0 then moment else e.drained_at end,
    updated_at = changed_at
  where e.id = endpoint;
end
$$;

-- Removes an endpoint with its open deliveries. Those of a long backlog, and those that somebody has
-- in hand or an event is adding just now, are dropped by whoever comes by to claim them.
create function quipu.remove_endpoint(tenant text, endpoint text) returns boolean
language plpgsql as $$
begin
  delete from quipu.webhook_endpoint e where e.id = endpoint and e.tenant_id = tenant;
  if not found then
    return false;
  end if;
  perform quipu.drop_deliveries(endpoint, 10000);
  return true;
end
$$;
