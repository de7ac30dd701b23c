-- Who may send what, and what came of it.
--
-- Locks are taken in one order: endpoints by id, then deliveries by endpoint and event. Whoever
-- cannot keep to it, as claims that go round in turns, waits for nobody and skips what is locked.
--
-- As everywhere on a hot path, plans must not depend on statistics: a table that is nearly empty when
-- a plan is made has a backlog of millions when it is used. So rows are found by one lookup an item,
-- and named by their `ctid` in the next statement: for a locked row it stays what it is.

-- Deletes open deliveries of an endpoint that is gone, at most so many and none that somebody has in
-- hand just now: whoever claims comes by again.
create function quipu.drop_deliveries(endpoint text, limit_ int) returns void
language plpgsql as $$
declare
  dropped tid[] := array(
    select d.ctid from quipu.delivery_open d
    where d.endpoint_id = endpoint limit limit_
    for update skip locked
  );
begin
  delete from quipu.delivery_open where ctid = any (dropped);
end
$$;

-- Claims deliveries that are due, or hands them out: a few of each endpoint, beginning with the first
-- one after `after_` by id and going round once. It reads the first row of each endpoint that has
-- any, and then what it takes: a backlog costs nothing. While no endpoint is slow, a claim for slow
-- ones does not go round at all.
--
-- Of a tenant no more than its share are out, at its endpoints of this lane together.
--
-- It writes once, at the end, as to begin a write costs more than to change a row. Until then what it
-- has taken is not yet out, and is counted by itself.
--
-- Two at once never serve the same tenant: what is out there is counted by one at a time. What is
-- looked at and not served is not locked, so there are no more locks than deliveries.
create function quipu.claim_deliveries(
  limit_ int, lease_seconds float8, per_endpoint int, slow boolean, catch_up_per_second float8,
  leasing boolean, after_ text, at timestamptz, per_tenant int
) returns table (
  endpoint_id text, event_id uuid, tenant_id text, fence int, attempt int, is_resend boolean,
  lost_leases int, url text, secrets text, body bytea
)
language plpgsql as $$
#variable_conflict use_column
declare
  moment timestamptz := quipu.store_now(at);
  lease_end timestamptz := moment + make_interval(secs => lease_seconds);
  first_place text collate "C" := after_;
  place text collate "C" := after_;
  has_turned boolean := false;
  first_due timestamptz;
  w quipu.webhook_endpoint;
  remaining int := limit_;
  room int;
  share float8; -- of one that catches up after a pause: how many it may be sent by now
  taken tid[]; -- at one endpoint
  renewing tid[]; -- what of that begins its ladder anew
  picked tid[] := '{}'; -- all that was taken
  owners text[] collate "C" := '{}'; -- whose each of it is
  renewed tid[] := '{}';
  rounds int[] := '{}'; -- which of its endpoint's each of those begins
begin
  if slow and not exists (select from quipu.webhook_endpoint e where e.is_slow) then
    return;
  end if;
  while remaining > 0 loop
    select d.endpoint_id, d.next_at into place, first_due from quipu.delivery_open d
    where d.endpoint_id > place order by d.endpoint_id, d.next_at limit 1;
    if not found or (has_turned and place > first_place) then
      exit when has_turned;
      has_turned := true;
      place := '';
      continue;
    end if;
    continue when first_due > moment;

    select * into w from quipu.webhook_endpoint e where e.id = place;
    if not found then
      perform quipu.drop_deliveries(place, 1000);
      continue;
    end if;
    continue when w.is_slow <> slow;
    if w.status = 'active' then
      perform from quipu.delivery_open d
      where d.endpoint_id = place and d.out_until > moment
      order by d.out_until offset per_endpoint - 1 limit 1;
      continue when found;
    else
      perform from quipu.delivery_open d
      where d.endpoint_id = place and d.next_at <= moment and d.return_to is not null
      order by d.next_at limit 1;
      continue when not found;
    end if;
    continue when not pg_try_advisory_xact_lock(hashtextextended('quipu.claim ' || w.tenant_id, 0));

    select least(remaining, per_endpoint - count(*) filter (where is_out.endpoint_id = place),
      per_tenant - count(*) - cardinality(array_positions(owners, w.tenant_id))) into room
    from quipu.webhook_endpoint e
    cross join lateral (
      select d.endpoint_id from quipu.delivery_open d
      where d.endpoint_id = e.id and d.out_until > moment
      order by d.out_until limit per_endpoint
    ) is_out
    where e.tenant_id = w.tenant_id and (e.is_slow = slow or e.id = place);
    share := null;
    if w.status = 'active' and w.drained_at is not null then
      select * into w from quipu.webhook_endpoint e where e.id = place
      for no key update skip locked;
      continue when not found or w.status <> 'active';
      share := floor(extract(epoch from moment - w.drained_at) * catch_up_per_second);
      room := least(room, share);
    end if;
    continue when room <= 0;

    if w.status = 'active' then
      taken := array(
        select d.ctid from quipu.delivery_open d
        where d.endpoint_id = place and d.next_at <= moment
        order by d.next_at limit room for update skip locked
      );
    else
      taken := array(
        select d.ctid from quipu.delivery_open d
        where d.endpoint_id = place and d.next_at <= moment and d.return_to is not null
        order by d.next_at limit room for update skip locked
      );
    end if;
    remaining := remaining - cardinality(taken);
    picked := picked || taken;
    owners := owners || array_fill(w.tenant_id, array[cardinality(taken)]);
    renewing := array(
      select d.ctid from quipu.delivery_open d where d.ctid = any (taken) and d.round < w.round
    );
    renewed := renewed || renewing;
    rounds := rounds || array_fill(w.round, array[cardinality(renewing)]);

    if share is not null then
      -- Fewer than it might have had: it has caught up. Of a share that is left a second's is kept.
      update quipu.webhook_endpoint e
      set drained_at = case when cardinality(taken) = room then greatest(
        e.drained_at + make_interval(secs => room / catch_up_per_second),
        moment - interval '1 second'
      ) end
      where e.id = place;
    end if;
  end loop;

  if cardinality(picked) = 0 then
    return;
  end if;
  return query
  with claimed as (
    update quipu.delivery_open d
    set out_until = lease_end, next_at = lease_end, is_leased = leasing,
      fence = d.fence + leasing::int, lost_leases = d.lost_leases + d.is_leased::int,
      round = coalesce(rounds[array_position(renewed, d.ctid)], d.round),
      attempt = case when d.ctid = any (renewed) then 0 else d.attempt end
    where d.ctid = any (picked)
    returning d.*, old.next_at as was_due_at
  )
  select c.endpoint_id, c.event_id, c.tenant_id, c.fence, c.attempt + 1, c.return_to is not null,
    c.lost_leases, w.url, w.secrets::text, v.body
  from claimed c
  join quipu.webhook_endpoint w on w.id = c.endpoint_id
  left join lateral (
    select v.body from quipu.event v
    where leasing and v.tenant_id = c.tenant_id and v.type = c.event_type
      and v.recorded_at = c.recorded_at and v.id = c.event_id
    limit 1
  ) v on true
  where v.body is not null or not leasing
  order by c.endpoint_id <= after_, c.endpoint_id, c.was_due_at, c.event_id;
end
$$;
