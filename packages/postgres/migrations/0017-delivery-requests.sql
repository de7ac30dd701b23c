-- The requests of tenants: endpoints, resends, reactivations.

-- Registers an endpoint. Its cursor is at the newest entry of the log, which is read under the wallet's lock.
-- Returns false when the tenant has `most` endpoints. Registering the same id again changes nothing.
create function quipu.register_endpoint(
  tenant text, endpoint text, url text, events text[], description text, status text, exhausted int,
  paused timestamptz, secrets jsonb, created timestamptz, updated timestamptz, most int
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  log record;
begin
  perform quipu.require_plausible(i.at) from unnest(array[created, updated, paused]) i (at);
  select w.seq, w.logged_at into strict log from quipu.wallet w where w.tenant_id = tenant
  for no key update;
  if exists (select from quipu.webhook_endpoint e where e.id = endpoint) then
    return true;
  end if;
  if (select count(*) from quipu.webhook_endpoint e where e.tenant_id = tenant) >= most then
    return false;
  end if;
  insert into quipu.webhook_endpoint (id, tenant_id, url, events, description, status,
    consecutive_failures, paused_at, secrets, created_at, updated_at)
  values (endpoint, tenant, url, events, description, status, exhausted, paused, secrets, created, updated);
  insert into quipu.delivery_cursor (endpoint_id, tenant_id, seq, logged_at)
  values (endpoint, tenant, log.seq, log.logged_at);
  return true;
end
$$;

-- Changes the filter if `has_events`, the description if `has_description`, and the URL unless it is null. A
-- new filter applies to later entries of the log, which the wallet's lock separates from earlier ones.
-- Returns false when there is no such endpoint.
create function quipu.change_endpoint(
  tenant text, endpoint text, url text, has_events boolean, events text[],
  has_description boolean, description text, changed_at timestamptz
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  log record;
begin
  perform quipu.require_plausible(changed_at);
  if has_events then
    select w.seq, w.logged_at into log from quipu.wallet w where w.tenant_id = tenant for no key update;
    insert into quipu.endpoint_filter (endpoint_id, until_seq, until_at, events)
    select e.id, log.seq, log.logged_at, e.events
    from quipu.webhook_endpoint e join quipu.delivery_cursor c on c.endpoint_id = e.id
    where e.id = endpoint and e.tenant_id = tenant and c.seq < log.seq
      and e.events is distinct from change_endpoint.events
    on conflict do nothing;
  end if;
  update quipu.webhook_endpoint e
  set url = coalesce(change_endpoint.url, e.url),
    events = case when has_events then change_endpoint.events else e.events end,
    description = case when has_description then change_endpoint.description else e.description end,
    updated_at = changed_at
  where e.id = endpoint and e.tenant_id = tenant;
  return found;
end
$$;

-- Locks an endpoint until the transaction ends, and returns its secrets; null when there is no such endpoint.
create function quipu.lock_secrets(tenant text, endpoint text) returns jsonb
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  select e.secrets from quipu.webhook_endpoint e where e.id = endpoint and e.tenant_id = tenant
  for no key update;
end;

create function quipu.replace_secrets(tenant text, endpoint text, secrets jsonb, changed_at timestamptz)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  select quipu.require_plausible(changed_at);
  update quipu.webhook_endpoint e set secrets = replace_secrets.secrets, updated_at = changed_at
  where e.id = endpoint and e.tenant_id = tenant;
end;

-- Removes an endpoint with its pending deliveries. Later claims delete the open deliveries beyond 10,000, and
-- those that are locked now.
create function quipu.remove_endpoint(tenant text, endpoint text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from quipu.webhook_endpoint e where e.id = endpoint and e.tenant_id = tenant;
  if not found then
    return false;
  end if;
  delete from quipu.delivery_cursor c where c.endpoint_id = endpoint;
  delete from quipu.endpoint_filter f where f.endpoint_id = endpoint;
  delete from quipu.delivery_run r where r.endpoint_id = endpoint;
  perform quipu.drop_deliveries(endpoint, 10000);
  return true;
end
$$;

-- Replaces a row of `delivered_run` by one row of `delivery` for each of its events, so that one can change.
create function quipu.split_delivered_run(endpoint text, event uuid) returns void
language plpgsql as $$
declare
  run quipu.delivered_run;
begin
  select * into run from quipu.delivered_in_run(endpoint, event);
  if not found then
    return;
  end if;
  delete from quipu.delivered_run r
  where r.endpoint_id = endpoint and r.first_at = run.first_at and r.first_seq = run.first_seq
    and r.part = run.part;
  if not found then
    return; -- A concurrent call has replaced it.
  end if;
  insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
    ended_at, fencing_token, has_paused, attempts)
  select endpoint, a.event_id, run.tenant_id, l.event_type, l.logged_at, 'delivered', run.ended_at, 1,
    false, array[json_build_object(
      'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'statusCode', a.status,
      'latencyMs', a.latency, 'error', null, 'excerpt', a.excerpt)::text]
  from unnest(run.event_ids, run.attempted_at, run.status_codes, run.latencies_ms, run.excerpts)
    a (event_id, at, status, latency, excerpt)
  cross join lateral (
    select * from quipu.tenant_log l
    where l.tenant_id = run.tenant_id and l.logged_at = uuid_extract_timestamp(a.event_id)
      and l.event_id = a.event_id
    limit 1
  ) l;
end
$$;

-- Makes a delivery that has ended, or is queued at a paused endpoint, due for one attempt. `pending`: an
-- attempt is due or under way anyway. The caller has locked the endpoint.
create function quipu.send_once_more(w quipu.webhook_endpoint, event uuid, clock_override timestamptz)
returns text
language plpgsql as $$
declare
  endpoint text := w.id;
  moment timestamptz := quipu.store_now(clock_override);
begin
  perform quipu.split_delivered_run(endpoint, event);
  with ended as (
    delete from quipu.delivery d
    where d.endpoint_id = endpoint and d.event_id = event
      and d.recorded_at = uuid_extract_timestamp(event)
    returning d.*
  )
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at,
    next_at, generation, fencing_token, recorded_token, attempts, return_to, ended_at)
  select endpoint_id, event_id, tenant_id, event_type, recorded_at,
    moment, w.generation, fencing_token, fencing_token, attempts, status, ended_at
  from ended;
  if found then
    return 'committed';
  end if;
  if w.status = 'paused' then
    perform quipu.open_delivery(endpoint, event, moment);
    update quipu.delivery_open d
    set return_to = 'queued', next_at = moment, in_flight_until = null, due_at = null, is_leased = false,
      lost_leases = d.lost_leases + d.is_leased::int
    where d.endpoint_id = endpoint and d.event_id = event and d.return_to is null
      and (d.in_flight_until is null or d.in_flight_until <= moment);
    if found then
      return 'committed';
    end if;
  end if;
  return case when quipu.is_open_delivery(endpoint, event) then 'pending' else 'not_found' end;
end
$$;

-- A tenant's request for `send_once_more`. `paused_by_operator`: only an operator resends.
create function quipu.resend_delivery(tenant text, endpoint text, event uuid, clock_override timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  w quipu.webhook_endpoint;
begin
  select * into w from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant for share;
  if not found then
    return 'not_found';
  end if;
  if w.operator_paused_at is not null then
    return 'paused_by_operator';
  end if;
  return quipu.send_once_more(w, event, clock_override);
end
$$;

-- `send_once_more` for the next `most` entries of the log after a position, up to the endpoint's cursor: later ones are
-- sent by themselves. An event without a delivery, as of the time before the endpoint, gets one. Returns the position
-- of the last entry when there may be more. The endpoint's lock keeps resends out, so a delivery that is neither open
-- nor ended in two looks, between which a worker may have ended it, does not exist.
create function quipu.replay_deliveries(
  tenant text, endpoint text, after_at timestamptz, after_seq bigint, most int, clock_override timestamptz,
  out result text, out resent int, out last_at timestamptz, out last_seq bigint
)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_seqscan to off set enable_bitmapscan to off
set plan_cache_mode to force_custom_plan
as $$
declare
  w quipu.webhook_endpoint;
  c quipu.delivery_cursor;
  entry record;
  answer text;
  looked int := 0;
begin
  select * into w from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant for no key update;
  if not found then
    result := 'not_found';
    return;
  elsif w.operator_paused_at is not null then
    result := 'paused_by_operator';
    return;
  elsif after_seq = 0 and after_at > quipu.store_now(clock_override) then
    result := 'future';
    return;
  end if;
  select * into c from quipu.delivery_cursor d where d.endpoint_id = endpoint;
  result := 'committed';
  resent := 0;
  for entry in
    select n.seq, n.logged_at, n.event_id, n.event_type
    from quipu.next_events(tenant, w.events, after_at, after_seq, most) n
    where (n.logged_at, n.seq) <= (c.logged_at, c.seq)
    order by n.logged_at, n.seq
  loop
    looked := looked + 1;
    answer := quipu.send_once_more(w, entry.event_id, clock_override);
    if answer = 'not_found' then
      answer := quipu.send_once_more(w, entry.event_id, clock_override);
    end if;
    if answer = 'not_found' then
      insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at, next_at, generation)
      values (endpoint, entry.event_id, tenant, entry.event_type, entry.logged_at,
        quipu.store_now(clock_override), w.generation);
    end if;
    resent := resent + (answer <> 'pending')::int;
    last_at := entry.logged_at;
    last_seq := entry.seq;
  end loop;
  if looked < most then
    last_at := null;
    last_seq := null;
  end if;
end
$$;

create function quipu.is_open_delivery(endpoint text, event uuid) returns boolean
language sql stable
begin atomic
  select exists (
    select from quipu.delivery_open d where d.endpoint_id = endpoint and d.event_id = event
  ) or exists (
    select from quipu.delivery_run r where r.endpoint_id = endpoint and event = any (r.event_ids)
  ) or exists (
    select from quipu.delivery_cursor c cross join lateral quipu.pending_event(c, event)
    where c.endpoint_id = endpoint
  );
end;

-- How many events of these types a log has between two positions. Counts the rare kinds (payouts that were
-- not completed, deposits, adjustments, refunds, balances) in their indexes, and subtracts them from the difference of the
-- `seq`s.
create function quipu.count_events(
  tenant text, types text[], after_at timestamptz, after_seq bigint, until_at timestamptz, until_seq bigint
) returns bigint
language sql stable
begin atomic
  select case when types is null or 'payout.completed' = any (types)
      then until_seq - after_seq - coalesce(sum(o.count), 0) else 0 end
    + coalesce(sum(o.count) filter (where o.kind <> all (array['payout.rejected', 'adjustment_in', 'adjustment_out'])
      and quipu.is_wanted(types, o.kind)), 0)
  from (
    select 'payout.' || s.status as kind, (
      select count(*) from quipu.payout_end e
      where e.tenant_id = tenant and e.status = s.status and e.status <> 'completed'
        and (e.ended_at, e.seq) > (after_at, after_seq) and (e.ended_at, e.seq) <= (until_at, until_seq)
    ) as count
    from unnest(array['failed', 'cancelled', 'rejected']) s (status)
    union all
    select k.kind, (
      select count(*) from quipu.funding_entry f
      where f.tenant_id = tenant and f.type = k.kind
        and (f.logged_at, f.seq) > (after_at, after_seq) and (f.logged_at, f.seq) <= (until_at, until_seq)
    )
    from unnest(quipu.funding_event_types() || array['adjustment_in', 'adjustment_out']) k (kind)
  ) o;
end;

-- How many deliveries of an endpoint are past its cursor.
create function quipu.count_past_cursor(endpoint text) returns bigint
language sql stable
begin atomic
  select coalesce(sum(quipu.count_events(s.tenant_id, s.events, s.after_at, s.after_seq, s.until_at,
      s.until_seq)), 0) - coalesce(min(s.ahead_count), 0)
  from (
    select c.tenant_id, span.events, span.until_at, span.until_seq,
      lag(span.until_at, 1, c.logged_at) over turn as after_at,
      lag(span.until_seq, 1, c.seq) over turn as after_seq,
      case when c.ahead_seq > c.seq then quipu.count_ahead(c.endpoint_id, c.tenant_id, c.logged_at, c.seq) end as ahead_count
    from quipu.delivery_cursor c
    cross join lateral (
      select f.events, f.until_at, f.until_seq from quipu.endpoint_filter f
      where f.endpoint_id = c.endpoint_id and f.until_seq > c.seq
      union all
      select e.events, w.logged_at, w.seq
      from quipu.webhook_endpoint e cross join quipu.wallet w
      where e.id = c.endpoint_id and w.tenant_id = c.tenant_id and w.seq > c.seq
    ) span
    where c.endpoint_id = endpoint
    window turn as (order by span.until_seq)
  ) s;
end;

-- How many deliveries of an endpoint have not ended.
create function quipu.count_queued(endpoint text) returns bigint
language sql stable
begin atomic
  select quipu.count_past_cursor(endpoint) + (
    select count(*) from quipu.delivery_open d where d.endpoint_id = endpoint
  ) + (
    select coalesce(sum(cardinality(r.event_ids)), 0) from quipu.delivery_run r
    where r.endpoint_id = endpoint
  );
end;

-- Opens again the deliveries of an endpoint that were exhausted since this instant, in this generation. Returns how
-- many.
create function quipu.reopen_exhausted(endpoint text, since timestamptz, generation int, moment timestamptz)
returns int
language plpgsql
set enable_seqscan to off set enable_bitmapscan to off
set plan_cache_mode to force_custom_plan
as $$
declare
  opened int;
begin
  with ended as (
    delete from quipu.delivery d
    where d.endpoint_id = endpoint and d.status = 'exhausted' and d.ended_at >= since
    returning d.*
  )
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at,
    next_at, generation, fencing_token, recorded_token, attempts)
  select e.endpoint_id, e.event_id, e.tenant_id, e.event_type, e.recorded_at,
    moment, reopen_exhausted.generation, e.fencing_token, e.fencing_token, e.attempts
  from ended e;
  get diagnostics opened = row_count;
  return opened;
end
$$;

-- Makes an endpoint active, with 0 consecutive failures. Nulls when there is no such endpoint.
--
-- Queued deliveries become due because the endpoint is active; retries that were due later become due now.
-- Deliveries that are queued for a worker or leased stay so, and belong to the older generation. Deliveries
-- that were exhausted within `redeliver_seconds` become due again (`redelivered`), also while a resend of
-- them is under way. `requeued` counts what was queued at a paused endpoint, or what becomes due sooner at an
-- active one.
--
-- Uses custom plans, as it is rare and moves any number of rows.
create function quipu.activate_endpoint(
  tenant text, endpoint text, redeliver_seconds float8, changed_at timestamptz, clock_override timestamptz,
  out requeued bigint, out redelivered bigint
)
language plpgsql
set enable_seqscan to off set enable_bitmapscan to off
set plan_cache_mode to force_custom_plan
as $$
declare
  w quipu.webhook_endpoint;
  moment timestamptz;
  since timestamptz;
  newest int;
  waiting tid[]; -- rows that wait for a retry
  resends tid[]; -- rows of resends that become deliveries again
begin
  select * into w from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant for no key update;
  if not found then
    return;
  end if;
  update quipu.delivery_cursor c set is_due = true where c.endpoint_id = endpoint;
  moment := quipu.store_now(clock_override);
  since := moment - make_interval(secs => redeliver_seconds);
  newest := w.generation + 1;

  if w.status = 'paused' then
    requeued := quipu.count_past_cursor(endpoint) + (
      select count(*) from quipu.delivery_open d
      where d.endpoint_id = endpoint and (d.return_to is null or d.return_to = 'queued')
    ) + (
      select coalesce(sum(cardinality(r.event_ids)), 0) from quipu.delivery_run r
      where r.endpoint_id = endpoint
    );
  end if;
  select coalesce(array_agg(d.row_id) filter (where not d.is_resend), '{}'),
    array_agg(d.row_id) filter (where d.is_resend)
  into waiting, resends
  from (
    select d.ctid as row_id, d.return_to is not null as is_resend from quipu.delivery_open d
    where d.endpoint_id = endpoint and (
      (d.return_to is null and d.next_at > moment and d.in_flight_until is null)
      or d.return_to = 'queued' or (d.return_to = 'exhausted' and d.ended_at >= since)
    )
    order by d.event_id for update
  ) d;
  update quipu.delivery_open set next_at = moment, due_at = null where ctid = any (waiting);
  requeued := coalesce(requeued, cardinality(waiting));

  with again as (
    update quipu.delivery_open set return_to = null, ended_at = null, generation = newest - 1
    where ctid = any (resends)
    returning old.return_to as was
  )
  select count(*) filter (where was = 'exhausted') into redelivered from again;

  redelivered := redelivered + quipu.reopen_exhausted(endpoint, since, newest, moment);

  update quipu.webhook_endpoint e
  set status = 'active', consecutive_failures = 0, paused_at = null, tenant_paused = false,
    operator_paused_at = null, operator_paused_by = null, operator_pause_reason = null,
    -- At an active endpoint with nothing to send sooner, attempts under way still count as of this
    -- generation.
    generation = case when w.status = 'paused' or requeued + redelivered > 0 then newest
      else w.generation end,
    catch_up_at = case when requeued + redelivered > 0 then moment else e.catch_up_at end,
    updated_at = changed_at
  where e.id = endpoint;
end
$$;

-- Pauses an endpoint for its tenant, also one that is paused after failures. Changes nothing while it is paused by the
-- tenant or by an operator.
create function quipu.pause_own_endpoint(tenant text, endpoint text, at timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update quipu.webhook_endpoint e
  set status = 'paused', paused_at = coalesce(e.paused_at, at), tenant_paused = true, updated_at = at
  where e.id = endpoint and e.tenant_id = tenant and not e.tenant_paused and e.operator_paused_at is null;
end;

-- A tenant's request for `activate_endpoint`. Nulls when there is no such endpoint, or when an operator has
-- paused it.
create function quipu.reactivate_endpoint(
  tenant text, endpoint text, redeliver_seconds float8, changed_at timestamptz, clock_override timestamptz,
  out requeued bigint, out redelivered bigint
)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant and e.operator_paused_at is null for no key update;
  if found then
    select a.requeued, a.redelivered into requeued, redelivered
    from quipu.activate_endpoint(tenant, endpoint, redeliver_seconds, changed_at, clock_override) a;
  end if;
end
$$;

comment on function quipu.count_queued is 'for processes';
comment on function quipu.count_past_cursor is 'for processes';
comment on function quipu.count_events is 'for processes';
