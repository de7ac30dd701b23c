-- Due work: finding, locking and reading the endpoints with due deliveries, and taking their shares. The
-- order of locks and the rule for plans are in 0013-delivery-runs.sql.

-- The next `most` endpoints after `after_id`, by id, with an open delivery that is due or a cursor that is
-- due. Skips from endpoint to endpoint in the index of open deliveries, whatever their number. Passes over those of
-- paused endpoints, which stay due for as long as the pause lasts, unless one is a resend.
create function quipu.next_due_endpoints(after_id text, until_id text, most int, moment timestamptz) returns text[]
language sql stable
begin atomic
  with recursive endpoint (id, first_due) as (
    (select d.endpoint_id, d.next_at from quipu.delivery_open d
    where d.endpoint_id > after_id order by d.endpoint_id, d.next_at limit 1)
    union all
    select next.* from endpoint p cross join lateral (
      select d.endpoint_id, d.next_at from quipu.delivery_open d
      where d.endpoint_id > p.id order by d.endpoint_id, d.next_at limit 1
    ) next
  )
  select array(
    select * from (
      (select p.id from endpoint p
      where p.first_due <= moment and (
        (select e.status from quipu.webhook_endpoint e where e.id = p.id) is distinct from 'paused' or (
          select true from quipu.delivery_open d
          where d.endpoint_id = p.id and d.next_at <= moment and d.return_to is not null
          order by d.next_at limit 1
        )
      ) limit most)
      union
      (select c.endpoint_id from quipu.delivery_cursor c where c.is_due and c.endpoint_id > after_id
      order by c.endpoint_id limit most)
    ) due (id)
    where until_id is null or due.id <= until_id
    order by due.id limit most
  );
end;

-- Deletes open deliveries of a removed endpoint, and unmarks the cursor of a paused one; a reactivation marks
-- it again.
create function quipu.clear_inactive_endpoint(endpoint text) returns void
language plpgsql as $$
begin
  perform from quipu.delivery_cursor c where c.endpoint_id = endpoint and c.is_due
  for no key update skip locked;
  if found and exists (
    select from quipu.webhook_endpoint e where e.id = endpoint and e.status = 'paused'
  ) then
    update quipu.delivery_cursor c set is_due = false where c.endpoint_id = endpoint;
  end if;
  if not exists (select from quipu.webhook_endpoint e where e.id = endpoint) then
    perform quipu.drop_deliveries(endpoint, 1000);
  end if;
end
$$;

-- Locks the rows of these endpoints that a claim needs, and returns the endpoints that it may serve;
-- `with_log` has for each whether its cursor is locked. Skips what a concurrent claim has locked, and the endpoints of
-- tenants that move. Concurrent claims never serve the same tenant, so that one at a time counts what is leased there.
create function quipu.lock_due_endpoints(inout endpoints text[], slow boolean, moment timestamptz,
  out with_log boolean[])
language plpgsql as $$
declare
  inactive text;
begin
  for inactive in
    select p.id from unnest(endpoints) p (id)
    left join lateral (
      select e.status from quipu.webhook_endpoint e where e.id = p.id limit 1
    ) e on true
    where e.status is distinct from 'active'
  loop
    perform quipu.clear_inactive_endpoint(inactive);
  end loop;
  select array_agg(w.id order by w.id), array_agg(c.is_locked is not null order by w.id)
  into endpoints, with_log
  from unnest(endpoints) p (id)
  cross join lateral (
    select e.id, e.status from quipu.webhook_endpoint e
    where e.id = p.id and e.is_slow = slow
      and (select true from quipu.moving_tenant m where m.tenant_id = e.tenant_id limit 1) is null
      and (e.status = 'active' or exists (
        select from quipu.delivery_open d
        where d.endpoint_id = p.id and d.next_at <= moment and d.return_to is not null
        order by d.next_at limit 1
      ))
      and (e.catch_up_at is null or exists (
        select from quipu.webhook_endpoint e where e.id = p.id for no key update skip locked
      ))
      and pg_try_advisory_xact_lock(hashtextextended('quipu.claim ' || e.tenant_id, 0))
    limit 1
  ) w
  left join lateral (
    select true as is_locked from quipu.delivery_cursor c
    where c.endpoint_id = p.id and c.is_due and w.status = 'active' for no key update skip locked
  ) c on true;
end
$$;

-- How many deliveries are queued or leased at each of a tenant's endpoints of this class, and at this
-- endpoint; and the `first_seq` of their first leased run. Compares a difference of instants with `interval
-- '0'`, which no index has, so that runs are found by their endpoint.
create function quipu.count_in_flight(
  tenant text, endpoint text, slow boolean, per_endpoint int, moment timestamptz
) returns table (id text, size bigint, first_seq bigint)
language sql stable
begin atomic
  select e.id, r.size + (
      select count(*) from (
        select from quipu.delivery_open d
        where d.endpoint_id = e.id and d.in_flight_until > moment order by d.in_flight_until limit per_endpoint
      ) rows
    ), r.first_seq
  from quipu.webhook_endpoint e
  cross join lateral (
    select c.open_seq from quipu.delivery_cursor c where c.endpoint_id = e.id limit 1
  ) c
  cross join lateral (
    select coalesce(sum(cardinality(r.event_ids)), 0) as size, min(r.first_seq) as first_seq
    from quipu.delivery_run r
    where r.endpoint_id = e.id and r.first_seq >= c.open_seq
      and r.leased_until - moment > interval '0'
  ) r
  where e.tenant_id = tenant and (e.is_slow = slow or e.id = endpoint);
end;

-- The deliveries that are due at an endpoint, longest due first, up to its share.
create type quipu.due_endpoint as (
  endpoint_id text collate "C",
  tenant_id text collate "C",
  url text,
  secrets text,
  generation int,
  remaining int, -- how many more deliveries its own limits allow
  tenant_remaining int, -- how many more the limit of its tenant allows, for all endpoints of the class
  is_catching_up boolean, -- its rate is limited, after a pause
  open_rows tid[], -- rows of `delivery_open`; null when there are none
  open_due timestamptz[], -- when each became due
  event_ids uuid[], -- events of the log; the next four belong to them
  seqs bigint[],
  logged_at timestamptz[],
  body_sizes int[],
  bodies bytea, -- concatenated
  with_log boolean, -- its cursor is locked
  until_seq bigint, -- last entry of the earlier filter that applied here, with `until_at`; null for the current one
  until_at timestamptz,
  end_seq bigint, -- last entry of the log, with `end_at`; null for an endpoint that wants all types
  end_at timestamptz,
  open_seq bigint, -- `first_seq` of its first leased run
  taken int, -- set by `take_due_endpoints`, as is the next
  is_filter_done boolean -- the cursor has passed the earlier filter: the next one may match more
);

-- Reads the filter and the log in one statement, that is one snapshot: the events that it finds were logged
-- while that filter was in force. Leaves out events that have rows of their own.
create function quipu.read_due_endpoints(
  endpoints text[], with_log boolean[], per_endpoint int, per_tenant int, slow boolean,
  catch_up_per_second float8, moment timestamptz
) returns setof quipu.due_endpoint
language sql
begin atomic
  select w.id, w.tenant_id, w.url, w.secrets::text, w.generation, r.remaining, per_tenant - o.tenant_in_flight::int,
    w.catch_up_at is not null, d.open_rows, d.open_due, d.event_ids, d.seqs, d.logged_at, d.body_sizes, d.bodies,
    c.endpoint_id is not null, f.until_seq, f.until_at, l.seq, l.logged_at,
    coalesce(o.open_seq, c.seq), 0, false
  from unnest(endpoints, with_log) p (id, with_log)
  cross join lateral (
    select * from quipu.webhook_endpoint e where e.id = p.id and e.is_slow = slow limit 1
  ) w
  left join lateral (
    select * from quipu.delivery_cursor c
    where c.endpoint_id = p.id and p.with_log and w.status = 'active' limit 1
  ) c on true
  left join lateral (
    select * from quipu.endpoint_filter f where f.endpoint_id = p.id and f.until_seq > c.seq
    order by f.until_seq limit 1
  ) f on true
  left join lateral (
    select l.seq, l.logged_at from quipu.wallet l
    where l.tenant_id = w.tenant_id and w.events is not null limit 1
  ) l on true
  cross join lateral (
    select coalesce(sum(o.size), 0) as tenant_in_flight,
      coalesce(sum(o.size) filter (where o.id = w.id), 0) as own_in_flight,
      min(o.first_seq) filter (where o.id = w.id) as open_seq
    from quipu.count_in_flight(w.tenant_id, w.id, slow, per_endpoint, moment) o
  ) o
  cross join lateral (
    select least(per_endpoint - o.own_in_flight, case when w.catch_up_at is not null and w.status = 'active'
      then floor(extract(epoch from moment - w.catch_up_at) * catch_up_per_second) end)::int as remaining
  ) r
  cross join lateral (
    select array_agg(d.row_id order by d.due_at) filter (where d.seq is null) as open_rows,
      array_agg(d.due_at order by d.due_at) filter (where d.seq is null) as open_due,
      array_agg(d.event_id order by d.seq) filter (where d.seq is not null) as event_ids,
      array_agg(d.seq order by d.seq) filter (where d.seq is not null) as seqs,
      array_agg(d.due_at order by d.seq) filter (where d.seq is not null) as logged_at,
      array_agg(length(d.body) order by d.seq) filter (where d.seq is not null) as body_sizes,
      string_agg(d.body, '' order by d.seq) filter (where d.seq is not null) as bodies
    from (
      select * from (
        (select null::uuid, coalesce(d.due_at, d.next_at), null::bigint, d.row_id, null::bytea
        from (
          select d.*, d.ctid as row_id from quipu.delivery_open d
          where d.endpoint_id = p.id and d.next_at <= moment
            and (w.status = 'active' or d.return_to is not null)
          order by d.next_at limit r.remaining for update skip locked
        ) d)
        union all
        (select n.event_id, n.logged_at, n.seq, null, n.body
        from quipu.next_events(w.tenant_id, case when f.until_seq is null then w.events else f.events end,
          c.logged_at, c.seq, r.remaining + case when c.ahead_seq > c.seq
            then quipu.count_ahead(p.id, w.tenant_id, c.logged_at, c.seq) else 0 end::int) n
        where (f.until_seq is null or n.seq <= f.until_seq)
          and not (n.seq <= c.ahead_seq and quipu.has_delivery_row(p.id, n.event_id, n.logged_at)))
      ) due (event_id, due_at, seq, row_id, body)
      order by due.due_at, due.seq limit r.remaining
    ) d
  ) d
  where r.remaining > 0;
end;

-- Keeps the `most` deliveries that have been due longest.
create function quipu.limit_due_endpoint(inout p quipu.due_endpoint, most int)
language plpgsql immutable as $$
declare
  logged int;
begin
  select count(*) filter (where d.is_logged) into logged
  from (
    select * from (
      select unnest(p.open_due), false union all select unnest(p.logged_at), true
    ) d (at, is_logged)
    order by d.at limit most
  ) d;
  p.open_rows := p.open_rows[:most - logged];
  p.event_ids := p.event_ids[:logged];
  p.seqs := p.seqs[:logged];
  p.logged_at := p.logged_at[:logged];
  p.body_sizes := p.body_sizes[:logged];
end
$$;

-- The cursor of an endpoint once these deliveries are taken. When they are its last, the cursor moves on to
-- the last entry of the earlier filter, or of the log.
create function quipu.cursor_after(p quipu.due_endpoint, is_last boolean) returns quipu.delivery_cursor
language plpgsql immutable as $$
declare
  seq bigint := p.seqs[cardinality(p.seqs)];
  logged_at timestamptz := p.logged_at[cardinality(p.seqs)];
begin
  if is_last then
    seq := greatest(seq, coalesce(p.until_seq, p.end_seq));
    logged_at := greatest(logged_at, coalesce(p.until_at, p.end_at));
  end if;
  return row(p.endpoint_id, p.tenant_id, seq, logged_at, 0::bigint, p.open_seq,
    not is_last or p.until_seq is not null);
end
$$;

-- Moves cursors, and deletes the earlier filters that they have passed.
create function quipu.move_cursors(cursors quipu.delivery_cursor[]) returns void
language plpgsql as $$
begin
  if cardinality(cursors) = 0 then
    return;
  end if;
  update quipu.delivery_cursor c
  set seq = greatest(c.seq, m.seq), logged_at = greatest(c.logged_at, m.logged_at),
    open_seq = m.open_seq, is_due = m.is_due
  from unnest(cursors) m where c.endpoint_id = m.endpoint_id;
  delete from quipu.endpoint_filter f
  using unnest(cursors) m
  where f.endpoint_id = any (array[m.endpoint_id]) and f.until_seq <= m.seq;
end
$$;

-- Moves `catch_up_at` of an endpoint that catches up by what it was sent. It has caught up when nothing more
-- is due: the log, if the cursor is due, was read to its end. At most one second of an unused share is kept.
create function quipu.record_catch_up(
  endpoint text, taken int, is_last boolean, with_log boolean, catch_up_per_second float8, moment timestamptz
) returns void
language sql
begin atomic
  update quipu.webhook_endpoint e
  set catch_up_at = case when not is_last or (not with_log and exists (
    select from quipu.delivery_cursor c where c.endpoint_id = endpoint and c.is_due
  )) then greatest(
    e.catch_up_at + make_interval(secs => taken / catch_up_per_second), moment - interval '1 second'
  ) end
  where e.id = endpoint;
end;

-- Takes up to `most` due deliveries of these endpoints, within the limits of each endpoint and tenant, and
-- moves the cursors past them.
create function quipu.take_due_endpoints(
  endpoints text[], with_log boolean[], most int, per_endpoint int, per_tenant int, slow boolean,
  catch_up_per_second float8, moment timestamptz
) returns setof quipu.due_endpoint
language plpgsql as $$
declare
  p quipu.due_endpoint;
  tenants text[] collate "C" := '{}'; -- of the endpoints so far
  counts int[] := '{}'; -- how many deliveries are taken of each tenant
  cursors quipu.delivery_cursor[] := '{}';
  tenant_index int;
  remaining int := most;
  found_count int;
  is_last boolean;
begin
  for p in
    select * from quipu.read_due_endpoints(endpoints, with_log, per_endpoint, per_tenant, slow,
      catch_up_per_second, moment)
  loop
    tenant_index := array_position(tenants, p.tenant_id);
    if tenant_index is null then
      tenants := array_append(tenants, p.tenant_id);
      counts := array_append(counts, 0);
      tenant_index := cardinality(tenants);
    end if;
    found_count := coalesce(cardinality(p.event_ids), 0) + coalesce(cardinality(p.open_rows), 0);
    p.taken := greatest(least(found_count, remaining, p.tenant_remaining - counts[tenant_index]), 0);
    is_last := p.taken = found_count and found_count < p.remaining;
    if p.taken < found_count then
      p := quipu.limit_due_endpoint(p, p.taken);
    end if;
    counts[tenant_index] := counts[tenant_index] + p.taken;
    remaining := remaining - p.taken;
    if p.with_log then
      cursors := array_append(cursors, quipu.cursor_after(p, is_last));
      p.is_filter_done := is_last and p.until_seq is not null;
    end if;
    if p.is_catching_up then
      perform quipu.record_catch_up(p.endpoint_id, p.taken, is_last and not p.is_filter_done, p.with_log,
        catch_up_per_second, moment);
    end if;
    return next p;
  end loop;
  perform quipu.move_cursors(cursors);
end
$$;
