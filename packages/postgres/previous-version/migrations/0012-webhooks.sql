-- Webhook endpoints, and what is sent to them. A delivery is one event for one endpoint.
--
-- The schedule is the tenant's log: an endpoint has a cursor, and everything past it that its filter
-- matches is still to be sent. A claim takes the next entries as one run, and moves the cursor past them.
-- A run that arrives becomes one row of `delivered_run`. Only what is an exception has rows of its own,
-- `delivery_open` until it ends and then `delivery`: a failed attempt, a lost lease, a message in a queue,
-- a resend. So a commit writes nothing for its endpoints, and a pause or reactivation moves no rows.

create table quipu.webhook_endpoint (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references quipu.tenant,
  url text not null,
  events text[], -- null: all types, also those that are still to come
  description text,
  status text not null default 'active',
  consecutive_exhausted int not null default 0 check (consecutive_exhausted >= 0),
  paused_at timestamptz,
  secrets jsonb not null, -- newest first
  is_slow boolean not null default false, -- its last answer failed or took long
  generation int not null default 1, -- a delivery of an older one begins its retries anew
  catch_up_at timestamptz, -- while it catches up after a pause: until when it has had its share
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_endpoint_paused check (
    status in ('active', 'paused') and (status = 'paused') = (paused_at is not null)
  )
) with (fillfactor = 50);
create index webhook_endpoint_newest on quipu.webhook_endpoint (tenant_id, created_at, id);
create index webhook_endpoint_slow on quipu.webhook_endpoint (id) where is_slow;
create trigger same_for_ever before update on quipu.webhook_endpoint
  for each row when ((old.id, old.tenant_id, old.created_at) <> (new.id, new.tenant_id, new.created_at))
  execute function quipu.refuse_step();

-- How far an endpoint has read its tenant's log. Apart from the endpoint, whose row is wide and rarely
-- changes. `is_due` is set by `read_delivery_signals`, and unset by a claim that finds nothing past the cursor.
create table quipu.delivery_cursor (
  endpoint_id text collate "C" not null,
  tenant_id text collate "C" not null,
  seq bigint not null,
  logged_at timestamptz not null,
  ahead_seq bigint not null default 0, -- entries up to this one may have been taken before their turn
  open_seq bigint not null default 0, -- no run that begins before is out: spares reading those that were
  is_due boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.1);
create index delivery_cursor_tenant on quipu.delivery_cursor (tenant_id);
alter table quipu.delivery_cursor add primary key (endpoint_id);
create index delivery_cursor_due on quipu.delivery_cursor (endpoint_id) where is_due;

-- The filters that an endpoint had before, while entries of their time may be past its cursor. The one in
-- force is `webhook_endpoint.events`.
create table quipu.endpoint_filter (
  endpoint_id text collate "C" not null,
  until_seq bigint not null, -- it holds for the entries up to this one
  until_at timestamptz not null,
  events text[],
  primary key (endpoint_id, until_seq)
);

-- Entries of the log that were claimed together. An event leaves its run when it is recorded; the run
-- whose lease ends first is opened: each of its events gets a row of `delivery_open`. A run is leased
-- once, so the fencing token of all its deliveries is 1.
create table quipu.delivery_run (
  endpoint_id text collate "C" not null,
  first_seq bigint not null, -- the place in the log of its first event, with the next
  first_at timestamptz not null,
  leased_until timestamptz not null,
  tenant_id text collate "C" not null,
  generation int not null,
  event_ids uuid[] not null
) with (
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0.1,
  autovacuum_vacuum_cost_delay = 0
);
create index delivery_run_lease on quipu.delivery_run (leased_until);
alter table quipu.delivery_run add primary key (endpoint_id, first_seq);

-- What has arrived of a run at its first attempt: one row for what was recorded together. All arrays have
-- one element for each event, but `excerpts`, which is null when there is none.
create table quipu.delivered_run (
  first_at timestamptz not null,
  first_seq bigint not null,
  ended_at timestamptz not null,
  endpoint_id text collate "C" not null,
  part int not null, -- how many of the run were still out
  tenant_id text collate "C" not null,
  event_ids uuid[] not null,
  attempted_at timestamptz[] not null,
  status_codes int[] not null,
  latencies_ms int[] not null,
  excerpts text[],
  primary key (endpoint_id, first_at, first_seq, part)
) partition by range (first_at);
create table quipu.delivered_run_default partition of quipu.delivered_run default;

-- The exceptions that have not ended. The due clock is also the lease: while a delivery is out, enqueued
-- or leased by a worker, it is due when that ends. At a paused endpoint it is held by that alone.
create table quipu.delivery_open (
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  tenant_id text collate "C" not null,
  event_type text collate "C" not null,
  recorded_at timestamptz not null, -- the event's
  next_at timestamptz not null,
  generation int not null,
  attempt_count int not null default 0, -- in this generation
  fencing_token int not null default 0,
  recorded_token int not null default 0, -- whose attempt was the last on record
  out_until timestamptz, -- then `next_at` is the same
  is_leased boolean not null default false,
  lost_leases int not null default 0, -- since the last record
  attempts text[] not null default '{}', -- each as JSON, the text as it came; oldest first
  return_to text, -- of one that is sent once on request: what it was, and is again if that fails
  ended_at timestamptz, -- and since when
  constraint delivery_open_out check (
    case when out_until is null then not is_leased else out_until = next_at end
  ),
  constraint delivery_open_resend check (
    return_to in ('delivered', 'exhausted', 'held')
      and (return_to is null or return_to = 'held') = (ended_at is null)
  )
) with (
  fillfactor = 70,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);
create index delivery_open_due on quipu.delivery_open (endpoint_id, next_at);
create index delivery_open_out on quipu.delivery_open (endpoint_id, out_until)
  where out_until is not null;
create index delivery_open_resend on quipu.delivery_open (endpoint_id, next_at)
  where return_to is not null;
alter table quipu.delivery_open add primary key (endpoint_id, event_id);

-- Those that have ended.
create table quipu.delivery (
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  tenant_id text collate "C" not null,
  event_type text collate "C" not null,
  recorded_at timestamptz not null, -- the event's
  status text collate "C" not null check (status in ('delivered', 'exhausted')),
  ended_at timestamptz not null,
  fencing_token int not null, -- whose attempt has ended it
  has_paused boolean not null, -- it was the one that paused its endpoint
  attempts text[] not null,
  primary key (endpoint_id, event_id, recorded_at),
  constraint delivery_of_its_instant
    check (uuid_extract_timestamp(event_id) is not distinct from recorded_at)
) partition by range (recorded_at);
create table quipu.delivery_default partition of quipu.delivery default;
create index delivery_exhausted on quipu.delivery (endpoint_id, ended_at)
  where status = 'exhausted';
create index delivery_exhausted_newest on quipu.delivery (endpoint_id, event_id)
  where status = 'exhausted';

-- The primary keys come last of their tables' indexes: where all cost the same, as in a table that is
-- empty, the planner takes the last one. Before it has seen any row it is told that one endpoint, or one
-- tenant, may own them all: now, and at every analysis to come.
alter table quipu.delivery_open alter endpoint_id set (n_distinct = 1);
alter table quipu.funding_entry alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', name, 'attname', attribute,
  'inherited', false, 'null_frac', 0::real, 'avg_width', 30, 'n_distinct', 1::real)
from (values ('delivery_open', 'endpoint_id'), ('funding_entry', 'tenant_id')) known (name, attribute);

-- The next entries of a log after a place that have an event of these types, oldest first; of all types
-- when they are null. Types that may be few among many others each have an index of their own.
create function quipu.next_events(
  tenant text, types text[], after_at timestamptz, after_seq bigint, most int
) returns table (seq bigint, logged_at timestamptz, event_id uuid, event_type text, body bytea)
language sql stable
begin atomic
  select * from (
    (select e.seq, e.ended_at, e.event_id, 'payout.' || e.status, e.body
    from quipu.payout_end e
    where (types is null or 'payout.completed' = any (types))
      and e.tenant_id = tenant and (e.ended_at, e.seq) > (after_at, after_seq)
      and e.event_id is not null and (types is null or 'payout.' || e.status = any (types))
    order by e.ended_at, e.seq limit most)
    union all
    (select e.* from unnest(types) t (type) cross join lateral (
      select e.seq, e.ended_at, e.event_id, 'payout.' || e.status, e.body
      from quipu.payout_end e
      where e.tenant_id = tenant and e.status = substr(t.type, 8) and e.status <> 'completed'
        and (e.ended_at, e.seq) > (after_at, after_seq) and e.event_id is not null
      order by e.ended_at, e.seq limit most
    ) e
    where not 'payout.completed' = any (types) and starts_with(t.type, 'payout.'))
    union all
    (select f.seq, f.logged_at, f.event_id, f.type, f.body
    from quipu.funding_entry f
    where types is null and f.tenant_id = tenant
      and (f.logged_at, f.seq) > (after_at, after_seq) and f.event_id is not null
    order by f.logged_at, f.seq limit most)
    union all
    (select f.* from unnest(types) t (type) cross join lateral (
      select f.seq, f.logged_at, f.event_id, f.type, f.body
      from quipu.funding_entry f
      where f.tenant_id = tenant and f.type = t.type
        and (f.logged_at, f.seq) > (after_at, after_seq) and f.event_id is not null
      order by f.logged_at, f.seq limit most
    ) f
    where starts_with(t.type, 'deposit.'))
  ) e (seq, logged_at, event_id, event_type, body)
  order by e.logged_at, e.seq limit most;
end;

-- Whether an event that is past the cursor of an endpoint was taken before its turn.
create function quipu.has_row(endpoint text, event uuid, instant timestamptz) returns boolean
language sql stable
return exists (
  select from quipu.delivery_open d where d.endpoint_id = endpoint and d.event_id = event
) or exists (
  select from quipu.delivery d
  where d.endpoint_id = endpoint and d.event_id = event and d.recorded_at = instant
);

-- An event that is past this cursor and that the endpoint is to be sent, unless it was taken before its
-- turn.
create function quipu.pending_event(c quipu.delivery_cursor, event uuid)
returns table (seq bigint, logged_at timestamptz, event_type text)
language sql stable
begin atomic
  select l.seq, l.logged_at, l.event_type
  from quipu.webhook_endpoint e
  cross join lateral (
    select * from quipu.tenant_log l
    where l.tenant_id = c.tenant_id and l.logged_at = uuid_extract_timestamp(event) and l.event_id = event
    limit 1
  ) l
  left join lateral (
    select * from quipu.endpoint_filter f where f.endpoint_id = e.id and f.until_seq >= l.seq
    order by f.until_seq limit 1
  ) f on true
  where e.id = c.endpoint_id and (l.logged_at, l.seq) > (c.logged_at, c.seq)
    and coalesce(l.event_type = any (case when f.until_seq is null then e.events else f.events end), true)
    and not quipu.has_row(c.endpoint_id, event, l.logged_at);
end;

-- The least UUID of version 7 of an instant.
create function quipu.first_uuid_of(instant timestamptz) returns uuid
language sql immutable
return (lpad(to_hex((extract(epoch from greatest(instant, '1970-01-01Z')) * 1000)::bigint), 12, '0')
  || '70008000000000000000')::uuid;

-- How many deliveries of an endpoint past this place were taken before their turn.
create function quipu.count_ahead(endpoint text, tenant text, after_at timestamptz, after_seq bigint)
returns bigint
language sql stable
begin atomic
  select count(*)
  from (
    select d.event_id, d.recorded_at from quipu.delivery_open d
    where d.endpoint_id = endpoint and d.event_id >= quipu.first_uuid_of(after_at)
    union all
    select d.event_id, d.recorded_at from quipu.delivery d
    where d.endpoint_id = endpoint and d.event_id >= quipu.first_uuid_of(after_at)
      and d.recorded_at >= after_at
  ) d
  cross join lateral (
    select l.seq from quipu.tenant_log l
    where l.tenant_id = tenant and l.logged_at = d.recorded_at and l.event_id = d.event_id limit 1
  ) l
  where l.seq > after_seq;
end;

comment on function quipu.next_events is 'for processes';
comment on function quipu.pending_event is 'for processes';
comment on function quipu.count_ahead is 'for processes';
comment on function quipu.first_uuid_of is 'for processes';
comment on function quipu.has_row is 'for processes';
