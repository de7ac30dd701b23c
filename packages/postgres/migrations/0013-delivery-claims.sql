-- Who may send what.
--
-- Locks are taken in one order: wallets, endpoints by id, cursors, runs by endpoint and place, then open
-- deliveries by endpoint and event. Whoever cannot keep to it, as claims that go round in turns, skips
-- what is locked.
--
-- As everywhere on a hot path, plans must not depend on statistics: a table that is nearly empty when
-- a plan is made has a backlog of millions when it is used. So rows are found by one lookup an item,
-- and named by their `ctid` in the next statement: for a locked row it stays what it is.

-- Gives each of these events of a run a row of its own, leased as it was; the others stay in the run. The
-- caller has locked the run.
create function quipu.open_run(run quipu.delivery_run, leaving uuid[]) returns void
language plpgsql as $$
declare
  staying uuid[] := array(select unnest(run.event_ids) except select unnest(leaving));
begin
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at, next_at,
    generation, fencing_token, out_until, is_leased)
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

-- Opens the runs whose lease has ended: whoever held them is gone.
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

-- Marks the cursors of the tenants that have news. Those that another claim has locked keep their news:
-- that claim may unmark them, and not have seen what the news are about.
create function quipu.read_log_news() returns void
language plpgsql as $$
declare
  tenants text[] collate "C";
  locked tid[];
  missed text[];
begin
  perform from quipu.log_news limit 1;
  if not found then
    return;
  end if;
  with taken as (
    delete from quipu.log_news n
    where n.ctid = any (array(select n.ctid from quipu.log_news n limit 1000 for update skip locked))
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
    insert into quipu.log_news (tenant_ids) values (missed);
  end if;
end
$$;

-- Deletes open deliveries of an endpoint that is gone, at most so many and none that somebody has in
-- hand just now: whoever claims comes by again.
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

-- The next endpoints by id, at most so many, that may have something due: open deliveries, or entries past
-- their cursor.
create function quipu.next_places(after_id text, until_id text, most int, moment timestamptz) returns text[]
language sql stable
begin atomic
  with recursive place (id, first_due) as (
    (select d.endpoint_id, d.next_at from quipu.delivery_open d
    where d.endpoint_id > after_id order by d.endpoint_id, d.next_at limit 1)
    union all
    select next.* from place p cross join lateral (
      select d.endpoint_id, d.next_at from quipu.delivery_open d
      where d.endpoint_id > p.id order by d.endpoint_id, d.next_at limit 1
    ) next
  )
  select array(
    select * from (
      (select p.id from place p where p.first_due <= moment limit most)
      union
      (select c.endpoint_id from quipu.delivery_cursor c where c.is_due and c.endpoint_id > after_id
      order by c.endpoint_id limit most)
    ) due (id)
    where until_id is null or due.id <= until_id
    order by due.id limit most
  );
end;

-- Of an endpoint that is gone the open deliveries are deleted; the cursor of one that is paused is unmarked,
-- and marked again by a reactivation.
create function quipu.drop_stale(endpoint text) returns void
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

-- Locks what a claim needs of these endpoints, and answers those that it may serve. Two claims at once
-- never serve the same tenant: what is out there is counted by one at a time. What somebody else has locked
-- is left out.
create function quipu.lock_places(inout places text[], slow boolean, moment timestamptz, out with_log boolean[])
language plpgsql as $$
declare
  other text;
begin
  for other in
    select p.id from unnest(places) p (id)
    left join lateral (
      select e.status from quipu.webhook_endpoint e where e.id = p.id limit 1
    ) e on true
    where e.status is distinct from 'active'
  loop
    perform quipu.drop_stale(other);
  end loop;
  select array_agg(w.id order by w.id), array_agg(c.is_locked is not null order by w.id)
  into places, with_log
  from unnest(places) p (id)
  cross join lateral (
    select e.id, e.status from quipu.webhook_endpoint e
    where e.id = p.id and e.is_slow = slow
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

-- How many deliveries are out at each of a tenant's endpoints of this class, and at this one. Runs are found
-- by their endpoint: the difference of two instants is in no index.
create function quipu.count_out(
  tenant text, endpoint text, slow boolean, per_endpoint int, moment timestamptz
) returns table (id text, size bigint)
language sql stable
begin atomic
  select e.id, (
      select count(*) from (
        select from quipu.delivery_open d
        where d.endpoint_id = e.id and d.out_until > moment order by d.out_until limit per_endpoint
      ) rows
    ) + (
      select coalesce(sum(cardinality(r.event_ids)), 0) from quipu.delivery_run r
      where r.endpoint_id = e.id and r.leased_until - moment > interval '0'
    )
  from quipu.webhook_endpoint e
  where e.tenant_id = tenant and (e.is_slow = slow or e.id = endpoint);
end;

-- What is due at an endpoint, as much as its own share has room for; what has been due for longest comes
-- first.
create type quipu.due_place as (
  endpoint_id text collate "C",
  tenant_id text collate "C",
  url text,
  secrets text,
  generation int,
  room int,
  tenant_room int, -- and the share of its tenant, for all endpoints of the class
  has_share boolean, -- it catches up after a pause
  event_ids uuid[],
  event_types text[],
  due_at timestamptz[],
  seqs bigint[], -- null of an open delivery
  row_ids tid[], -- null of an event of the log
  bodies bytea[],
  with_log boolean, -- its cursor is locked
  until_seq bigint, -- where its filter was another one then, with the next
  until_at timestamptz,
  end_seq bigint, -- where the log ends for whom does not want all of it, with the next
  end_at timestamptz
);

-- The filter and the log are read by one statement, so that both are of one moment: what is found has
-- happened while that filter was in force. Events that were taken before their turn have a row.
create function quipu.due_places(
  places text[], with_log boolean[], per_endpoint int, per_tenant int, slow boolean,
  catch_up_per_second float8, moment timestamptz
) returns setof quipu.due_place
language sql
begin atomic
  select w.id, w.tenant_id, w.url, w.secrets::text, w.generation, r.room, per_tenant - o.tenant_out::int,
    w.catch_up_at is not null, d.event_ids, d.event_types, d.due_at, d.seqs, d.row_ids, d.bodies,
    c.endpoint_id is not null, f.until_seq, f.until_at, l.seq, l.logged_at
  from unnest(places, with_log) p (id, with_log)
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
    select coalesce(sum(o.size), 0) as tenant_out,
      coalesce(sum(o.size) filter (where o.id = w.id), 0) as own_out
    from quipu.count_out(w.tenant_id, w.id, slow, per_endpoint, moment) o
  ) o
  cross join lateral (
    select least(per_endpoint - o.own_out, case when w.catch_up_at is not null and w.status = 'active'
      then floor(extract(epoch from moment - w.catch_up_at) * catch_up_per_second) end)::int as room
  ) r
  cross join lateral (
    select array_agg(d.event_id order by d.due_at, d.seq) as event_ids,
      array_agg(d.event_type order by d.due_at, d.seq) as event_types,
      array_agg(d.due_at order by d.due_at, d.seq) as due_at,
      array_agg(d.seq order by d.due_at, d.seq) as seqs,
      array_agg(d.row_id order by d.due_at, d.seq) as row_ids,
      array_agg(d.body order by d.due_at, d.seq) as bodies
    from (
      select * from (
        (select d.event_id, d.event_type, d.next_at, null::bigint, d.row_id, null::bytea
        from (
          select d.*, d.ctid as row_id from quipu.delivery_open d
          where d.endpoint_id = p.id and d.next_at <= moment
            and (w.status = 'active' or d.return_to is not null)
          order by d.next_at limit r.room for update skip locked
        ) d)
        union all
        (select n.event_id, n.event_type, n.logged_at, n.seq, null, n.body
        from quipu.next_events(w.tenant_id, case when f.until_seq is null then w.events else f.events end,
          c.logged_at, c.seq, r.room + case when c.ahead_seq > c.seq
            then quipu.count_ahead(p.id, w.tenant_id, c.logged_at, c.seq) else 0 end::int) n
        where (f.until_seq is null or n.seq <= f.until_seq)
          and not (n.seq <= c.ahead_seq and quipu.has_row(p.id, n.event_id, n.logged_at)))
      ) due (event_id, event_type, due_at, seq, row_id, body)
      order by due.due_at, due.seq limit r.room
    ) d
  ) d
  where r.room > 0;
end;

-- What a claim answers of a delivery.
create type quipu.claimed_delivery as (
  endpoint_id text collate "C",
  event_id uuid,
  tenant_id text collate "C",
  fencing_token int,
  attempt int,
  is_resend boolean,
  lost_leases int,
  run_seq bigint, -- of the run, with the next; null of one that has a row
  run_size int,
  url text,
  secrets text,
  body bytea
);

-- Leases the first deliveries of a place, or enqueues them, as many as that; those of the log in one run.
create function quipu.take_place(p quipu.due_place, most int, leasing boolean, lease_end timestamptz)
returns setof quipu.claimed_delivery
language plpgsql as $$
declare
  first_seq bigint := (select min(s) from unnest(p.seqs[:most]) s);
  run_size int := num_nonnulls(variadic p.seqs[:most]);
begin
  if run_size > 0 and leasing then
    insert into quipu.delivery_run (endpoint_id, first_seq, first_at, leased_until, tenant_id, generation,
      event_ids)
    select p.endpoint_id, first_seq, min(i.due_at), lease_end, p.tenant_id, p.generation,
      array_agg(i.event_id order by i.seq)
    from unnest(p.event_ids[:most], p.seqs[:most], p.due_at[:most]) i (event_id, seq, due_at)
    where i.seq is not null;
  elsif run_size > 0 then
    insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at, next_at,
      generation, out_until)
    select p.endpoint_id, i.event_id, p.tenant_id, i.event_type, i.due_at, lease_end, p.generation, lease_end
    from unnest(p.event_ids[:most], p.seqs[:most], p.due_at[:most], p.event_types[:most])
      i (event_id, seq, due_at, event_type)
    where i.seq is not null;
  end if;
  if run_size = most then
    return query
    select p.endpoint_id, i.event_id, p.tenant_id, leasing::int, 1, false, 0, first_seq, run_size,
      p.url, p.secrets, i.body
    from unnest(p.event_ids[:most], p.bodies[:most]) i (event_id, body);
    return;
  end if;
  return query
  with claimed as (
    update quipu.delivery_open d
    set out_until = lease_end, next_at = lease_end, is_leased = leasing,
      fencing_token = d.fencing_token + leasing::int, lost_leases = d.lost_leases + d.is_leased::int,
      generation = p.generation,
      attempt_count = case when d.generation < p.generation then 0 else d.attempt_count end
    where d.ctid = any (p.row_ids[:most])
    returning d.*
  )
  select p.endpoint_id, i.event_id, p.tenant_id, coalesce(c.fencing_token, leasing::int),
    coalesce(c.attempt_count, 0) + 1, num_nonnulls(c.return_to) > 0, coalesce(c.lost_leases, 0),
    case when i.seq is not null then first_seq end, run_size, p.url, p.secrets, coalesce(i.body, l.body)
  from unnest(p.event_ids[:most], p.bodies[:most], p.seqs[:most], p.row_ids[:most]) with ordinality
    i (event_id, body, seq, row_id, place)
  left join claimed c on c.event_id = i.event_id
  left join lateral (
    select l.body from quipu.tenant_log l
    where i.seq is null and l.tenant_id = c.tenant_id and l.logged_at = c.recorded_at
      and l.event_id = c.event_id
    limit 1
  ) l on true
  order by i.place;
end
$$;

-- Where the cursor of a place is after its first deliveries were taken, as many as that: at the end of an
-- older filter's time, or of the log, when nothing follows that is due.
create function quipu.cursor_after(p quipu.due_place, most int) returns quipu.delivery_cursor
language plpgsql immutable as $$
declare
  is_last boolean := most = coalesce(cardinality(p.event_ids), 0) and most < p.room;
  c quipu.delivery_cursor;
begin
  c.endpoint_id := p.endpoint_id;
  select max(i.seq), max(i.due_at) into c.seq, c.logged_at
  from unnest(p.seqs[:most], p.due_at[:most]) i (seq, due_at) where i.seq is not null;
  if is_last then
    c.seq := greatest(c.seq, coalesce(p.until_seq, p.end_seq));
    c.logged_at := greatest(c.logged_at, coalesce(p.until_at, p.end_at));
  end if;
  c.is_due := not is_last or p.until_seq is not null;
  return c;
end
$$;

-- Moves cursors. Older filters that they are past are of no use any more.
create function quipu.move_cursors(cursors quipu.delivery_cursor[]) returns void
language plpgsql as $$
begin
  if cardinality(cursors) = 0 then
    return;
  end if;
  update quipu.delivery_cursor c
  set seq = greatest(c.seq, m.seq), logged_at = greatest(c.logged_at, m.logged_at), is_due = m.is_due
  from unnest(cursors) m where c.endpoint_id = m.endpoint_id;
  delete from quipu.endpoint_filter f
  using unnest(cursors) m
  where f.endpoint_id = any (array[m.endpoint_id]) and f.until_seq <= m.seq;
end
$$;

-- Notes what an endpoint that catches up was sent: nothing more is due when it was less than it might have
-- been, and of a share that is left a second's is kept.
create function quipu.use_share(
  p quipu.due_place, taken int, catch_up_per_second float8, moment timestamptz
) returns void
language sql
begin atomic
  update quipu.webhook_endpoint e
  set catch_up_at = case when taken < coalesce(cardinality(p.event_ids), 0) or taken >= p.room then greatest(
    e.catch_up_at + make_interval(secs => taken / catch_up_per_second), moment - interval '1 second'
  ) end
  where e.id = p.endpoint_id;
end;

-- Claims deliveries that are due, or enqueues them: a few of each endpoint, beginning with the first one
-- after `after_id` by id and going round once. An endpoint that has any is found by its first open delivery
-- or its cursor, and then what is taken is read: a backlog costs nothing. While no endpoint is slow, a claim
-- for slow ones does not go round at all.
--
-- As many endpoints are looked at together as would be enough if each had its share.
create function quipu.claim_deliveries(
  most int, lease_seconds float8, per_endpoint int, per_tenant int, slow boolean,
  catch_up_per_second float8, leasing boolean, after_id text, at timestamptz
) returns setof quipu.claimed_delivery
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(at);
  lease_end timestamptz := moment + make_interval(secs => lease_seconds);
  last_id text collate "C" := after_id;
  until_id text collate "C";
  batch int;
  places text[] collate "C";
  locked record;
  p quipu.due_place;
  cursors quipu.delivery_cursor[];
  owners text[] collate "C";
  remaining int := most;
  room int;
begin
  if slow and not exists (select from quipu.webhook_endpoint e where e.is_slow) then
    return;
  end if;
  perform quipu.open_lost_runs(moment);
  perform quipu.read_log_news();
  while remaining > 0 loop
    batch := 1 + (remaining - 1) / per_endpoint;
    places := quipu.next_places(last_id, until_id, batch, moment);
    locked := quipu.lock_places(places, slow, moment);
    cursors := '{}';
    owners := '{}';
    for p in
      select * from quipu.due_places(locked.places, locked.with_log, per_endpoint, per_tenant, slow,
        catch_up_per_second, moment)
    loop
      room := least(coalesce(cardinality(p.event_ids), 0), remaining,
        p.tenant_room - coalesce(cardinality(array_positions(owners, p.tenant_id)), 0));
      if room > 0 then
        return query select * from quipu.take_place(p, room, leasing, lease_end);
        remaining := remaining - room;
        owners := owners || array_fill(p.tenant_id, array[room]);
      end if;
      if p.with_log then
        cursors := array_append(cursors, quipu.cursor_after(p, greatest(room, 0)));
      end if;
      if p.has_share then
        perform quipu.use_share(p, greatest(room, 0), catch_up_per_second, moment);
      end if;
    end loop;
    perform quipu.move_cursors(cursors);
    if cardinality(places) < batch then
      exit when until_id is not null;
      until_id := after_id;
      last_id := '';
    else
      last_id := places[batch];
    end if;
  end loop;
end
$$;

-- Makes sure that a delivery which is due by itself has a row: one that is past the cursor of its endpoint,
-- or in a run whose lease has ended.
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

-- Claims one delivery that is due or was enqueued, whoever's turn it is.
create function quipu.claim_delivery(
  endpoint text, event uuid, lease_seconds float8, at timestamptz
) returns setof quipu.claimed_delivery
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(at);
  lease_end timestamptz := moment + make_interval(secs => lease_seconds);
begin
  perform quipu.open_delivery(endpoint, event, moment);
  return query
  with claimed as (
    update quipu.delivery_open d
    set out_until = lease_end, next_at = lease_end, is_leased = true,
      fencing_token = d.fencing_token + 1, lost_leases = d.lost_leases + d.is_leased::int,
      generation = e.generation,
      attempt_count = case when d.generation < e.generation then 0 else d.attempt_count end
    from quipu.webhook_endpoint e
    where d.endpoint_id = endpoint and d.event_id = event and e.id = endpoint
      and (e.status = 'active' or d.return_to is not null)
      and (d.next_at <= moment or (d.out_until is not null and not d.is_leased))
    returning d.*, e.url, e.secrets
  )
  select c.endpoint_id, c.event_id, c.tenant_id, c.fencing_token, c.attempt_count + 1,
    c.return_to is not null, c.lost_leases, null::bigint, null::int, c.url, c.secrets::text, l.body
  from claimed c
  cross join lateral (
    select l.body from quipu.tenant_log l
    where l.tenant_id = c.tenant_id and l.logged_at = c.recorded_at and l.event_id = c.event_id
    limit 1
  ) l;
end
$$;

-- Makes what was enqueued and not claimed due again. Each row is found by its key, in the order in which
-- everybody locks them, and then by its place.
create function quipu.requeue_deliveries(endpoints text[], events uuid[], at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.delivery_open d
  set out_until = null, next_at = quipu.store_now(at)
  where num_nulls(d.out_until) = 0 and not d.is_leased and d.ctid = any (array(
    select o.ctid
    from (
      select * from unnest(endpoints, events) r (endpoint_id, event_id) order by 1, 2
    ) r
    cross join lateral (
      select o.ctid from quipu.delivery_open o
      where o.endpoint_id = r.endpoint_id and o.event_id = r.event_id for update
    ) o
  ));
end
$$;
