-- The lists of deliveries. The ids of events sort by their instants, so pages are sorted by id.
--
-- Entries of one instant are sorted by `seq` in the log, and not by id. So a page reads all entries of its
-- last instant (`with ties`), and sorts them afterwards.

-- Whether an entry past the cursor is pending: the filter of its time matches it, and it has no row of its
-- own.
create function quipu.is_pending(
  c quipu.delivery_cursor, newest_filter text[], event uuid, seq bigint, logged_at timestamptz, type text
) returns boolean
language plpgsql stable as $$
declare
  wanted text[];
begin
  if seq <= c.ahead_seq and quipu.has_delivery_row(c.endpoint_id, event, logged_at) then
    return false;
  end if;
  select f.events into wanted from quipu.endpoint_filter f
  where f.endpoint_id = c.endpoint_id and f.until_seq >= seq order by f.until_seq limit 1;
  if not found then
    wanted := newest_filter;
  end if;
  return quipu.is_wanted(wanted, type);
end
$$;

-- The newest pending events past a cursor that are before this one, newest first. Rare types are each read by
-- an index of their own, unless earlier filters apply as well.
create function quipu.pending_page(
  c quipu.delivery_cursor, newest_filter text[], before uuid, before_at timestamptz, most int
) returns table (event_id uuid, event_type text, recorded_at timestamptz)
language plpgsql stable as $$
declare
  types text[] := case when not exists (
    select from quipu.endpoint_filter f where f.endpoint_id = c.endpoint_id
  ) then newest_filter end;
begin
  return query
  select p.* from (
    (select e.event_id, 'payout.' || e.status, e.ended_at from quipu.payout_end e
    where (types is null or 'payout.completed' = any (types)) and e.tenant_id = c.tenant_id
      and (e.ended_at, e.seq) > (c.logged_at, c.seq) and e.ended_at <= before_at and e.event_id < before
      and quipu.is_pending(c, newest_filter, e.event_id, e.seq, e.ended_at, 'payout.' || e.status)
    order by e.ended_at desc fetch first (most) rows with ties)
    union all
    (select e.* from unnest(types) t (type) cross join lateral (
      select e.event_id, t.type, e.ended_at from quipu.payout_end e
      where e.tenant_id = c.tenant_id and e.status = substr(t.type, 8) and e.status <> 'completed'
        and (e.ended_at, e.seq) > (c.logged_at, c.seq) and e.ended_at <= before_at
        and e.event_id < before
        and quipu.is_pending(c, newest_filter, e.event_id, e.seq, e.ended_at, t.type)
      order by e.ended_at desc fetch first (most) rows with ties
    ) e
    where not 'payout.completed' = any (types) and starts_with(t.type, 'payout.'))
    union all
    (select f.event_id, f.type, f.logged_at from quipu.funding_entry f
    where types is null and f.tenant_id = c.tenant_id
      and (f.logged_at, f.seq) > (c.logged_at, c.seq) and f.logged_at <= before_at
      and f.event_id < before
      and quipu.is_pending(c, newest_filter, f.event_id, f.seq, f.logged_at, f.type)
    order by f.logged_at desc fetch first (most) rows with ties)
    union all
    (select f.* from unnest(types) t (type) cross join lateral (
      select f.event_id, f.type, f.logged_at from quipu.funding_entry f
      where f.tenant_id = c.tenant_id and f.type = t.type
        and (f.logged_at, f.seq) > (c.logged_at, c.seq) and f.logged_at <= before_at
        and f.event_id < before
        and quipu.is_pending(c, newest_filter, f.event_id, f.seq, f.logged_at, f.type)
      order by f.logged_at desc fetch first (most) rows with ties
    ) f
    where t.type = any (quipu.funding_event_types()))
  ) p (event_id, event_type, recorded_at)
  order by p.event_id desc limit most;
end
$$;

-- The newest deliveries of `delivered_run` that are before this event, newest first.
--
-- The runs of an endpoint do not overlap in its log. So besides the runs that begin at the event's instant
-- and `most + 64` older parts, only the run before these can have events of the oldest instant that is read.
-- A run has at most 64 parts, and only parts of the newest run can lack events before this one.
create function quipu.delivered_page(endpoint text, before uuid, before_at timestamptz, most int)
returns table (
  event_id uuid, ended_at timestamptz, attempted_at timestamptz, status_code int, latency_ms int,
  excerpt text
)
language sql stable
begin atomic
  with older as materialized (
    select * from quipu.delivered_run r
    where r.endpoint_id = endpoint and r.first_at < before_at
    order by r.first_at desc fetch first (most + 64) rows with ties
  ), runs as (
    select * from older
    union all
    select * from quipu.delivered_run r where r.endpoint_id = endpoint and r.first_at = before_at
    union all
    (select * from quipu.delivered_run r
    where r.endpoint_id = endpoint and r.first_at < (select min(o.first_at) from older o)
    order by r.first_at desc fetch first 1 row with ties)
  )
  select a.event_id, r.ended_at, a.attempted_at, a.status_code, a.latency_ms, a.excerpt
  from runs r
  cross join lateral unnest(r.event_ids, r.attempted_at, r.status_codes, r.latencies_ms, r.excerpts)
    a (event_id, attempted_at, status_code, latency_ms, excerpt)
  where a.event_id < before
  order by a.event_id desc limit most;
end;

comment on function quipu.is_pending is 'for processes';
comment on function quipu.pending_page is 'for processes';
comment on function quipu.delivered_page is 'for processes';
