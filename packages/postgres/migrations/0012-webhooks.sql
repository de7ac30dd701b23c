-- Webhook endpoints, and their deliveries. A delivery is one event for one endpoint.
--
-- An endpoint has a cursor in its tenant's log: the entries past it that its filter matches are pending. A
-- claim takes the next entries as a run, and moves the cursor past them. When all of a run is delivered at
-- the first attempt, it becomes one row of `delivered_run`. A single delivery has a row only as an exception,
-- that is after a failed attempt, a lost lease or a resend, or while it is queued: in `delivery_open` until
-- it ends, then in `delivery`. So a payout's commit writes nothing for the endpoints, and a pause or
-- reactivation moves no rows.

-- Whether the stores can read these secrets: one that they cannot would break the lists and the claims that have it.
create function quipu.are_secrets(secrets jsonb) returns boolean
language sql immutable
return case jsonb_typeof(secrets) when 'array' then jsonb_array_length(secrets) = jsonb_array_length(
  jsonb_path_query_array(secrets, 'strict $[*] ? (
    @.ciphertext.type() == "string" && @.last_four.type() == "string"
    && @.created_at like_regex "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}[.][0-9]{3}Z$"
    && (@.expires_at == null
      || @.expires_at like_regex "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}[.][0-9]{3}Z$"))'))
  else false end;

-- An endpoint: URL, filter, encrypted secrets, pause.
create table quipu.webhook_endpoint (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references quipu.tenant,
  url text not null,
  events text[], -- null for all types, also of later releases, but for those by name only (`is_wanted`)
  description text,
  status text not null default 'active',
  consecutive_failures int not null default 0 check (consecutive_failures >= 0),
  paused_at timestamptz,
  tenant_paused boolean not null default false, -- its tenant has paused it
  operator_paused_at timestamptz, -- an operator's pause, which only operators end
  operator_paused_by text,
  operator_pause_reason text,
  secrets jsonb not null check (quipu.are_secrets(secrets)), -- encrypted, with their last four characters, newest first
  is_slow boolean not null default false, -- the last attempt failed or took long: delivery class `slow`
  failing_since timestamptz, -- the first failed attempt after the last one that succeeded
  is_failing_long boolean not null default false, -- whether the alert about that has been raised
  generation int not null default 1, -- a reactivation adds one; deliveries of an older one retry from the start
  catch_up_at timestamptz, -- while it catches up after a pause: up to when its share of deliveries is used
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_endpoint_paused check (
    status in ('active', 'paused') and (status = 'paused') = (paused_at is not null)
      and (status = 'paused' or not tenant_paused)
  ),
  constraint webhook_endpoint_paused_by_operator check (
    num_nulls(operator_paused_at, operator_paused_by, operator_pause_reason) in (0, 3)
      and (operator_paused_at is null or status = 'paused')
  )
) with (fillfactor = 50);
create index webhook_endpoint_newest on quipu.webhook_endpoint (tenant_id, created_at, id);
create index webhook_endpoint_failing on quipu.webhook_endpoint (failing_since) where is_failing_long;
create index webhook_endpoint_slow on quipu.webhook_endpoint (id) where is_slow;
create index webhook_endpoint_paused on quipu.webhook_endpoint (id) where status = 'paused';
create trigger identity_is_final before update on quipu.webhook_endpoint
  for each row when ((old.id, old.tenant_id, old.created_at) <> (new.id, new.tenant_id, new.created_at))
  execute function quipu.refuse_step();

-- An endpoint's position in its tenant's log. Not in `webhook_endpoint`, whose rows are wide and rarely
-- change. `read_delivery_signals` sets `is_due`; a claim that finds nothing past the cursor unsets it.
create table quipu.delivery_cursor (
  endpoint_id text collate "C" not null,
  tenant_id text collate "C" not null,
  seq bigint not null,
  logged_at timestamptz not null,
  ahead_seq bigint not null default 0, -- entries past the cursor up to this one may have rows of their own already
  open_seq bigint not null default 0, -- no leased run begins before it, so claims read runs from here
  is_due boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.1);
create index delivery_cursor_tenant on quipu.delivery_cursor (tenant_id);
alter table quipu.delivery_cursor add primary key (endpoint_id);
create index delivery_cursor_due on quipu.delivery_cursor (endpoint_id) where is_due;

-- Earlier filters of an endpoint, for as long as entries of their time may be past its cursor. The current
-- one is `webhook_endpoint.events`.
create table quipu.endpoint_filter (
  endpoint_id text collate "C" not null,
  until_seq bigint not null, -- the last entry that it applies to
  until_at timestamptz not null,
  events text[],
  primary key (endpoint_id, until_seq)
);

-- Entries of the log that were claimed together. An event leaves the run when its attempt is recorded. When
-- the lease ends first, each remaining event gets a row of `delivery_open`. A run is leased once, so the
-- fencing token of its deliveries is 1.
create table quipu.delivery_run (
  endpoint_id text collate "C" not null,
  first_seq bigint not null, -- position in the log of its first event, with `first_at`
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

-- Events of a run that were delivered at the first attempt: one row for those that were recorded together.
-- Each array has one element an event; `excerpts` is null when no answer has one.
create table quipu.delivered_run (
  first_at timestamptz not null,
  first_seq bigint not null,
  ended_at timestamptz not null,
  endpoint_id text collate "C" not null,
  part int not null, -- how many events of the run were still leased; tells the parts of a run apart
  tenant_id text collate "C" not null,
  event_ids uuid[] not null,
  attempted_at timestamptz[] not null,
  status_codes int[] not null,
  latencies_ms int[] not null,
  excerpts text[],
  primary key (endpoint_id, first_at, first_seq, part)
) partition by range (first_at);
create table quipu.delivered_run_default partition of quipu.delivered_run default;

-- The single deliveries that have not ended. `next_at` is also the end of the lease: while a delivery is
-- queued or leased by a worker, it is next due when that ends. Claims skip the rows of a paused endpoint.
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
  recorded_token int not null default 0, -- of the claim whose attempt was recorded last
  in_flight_until timestamptz, -- while queued or leased: the end of that, equal to `next_at`
  due_at timestamptz, -- when it became due; set when it is queued, until it is claimed
  is_leased boolean not null default false,
  lost_leases int not null default 0, -- since the last recorded attempt
  attempts text[] not null default '{}', -- oldest first; each the JSON text that was recorded
  return_to text, -- while a resend is pending: its earlier state, to which it returns if the attempt fails
  ended_at timestamptz, -- of that earlier state
  constraint delivery_open_in_flight check (
    case when in_flight_until is null then not is_leased else in_flight_until = next_at end
  ),
  constraint delivery_open_resend check (
    return_to in ('delivered', 'exhausted', 'queued')
      and (return_to is null or return_to = 'queued') = (ended_at is null)
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
create index delivery_open_in_flight on quipu.delivery_open (endpoint_id, in_flight_until)
  where in_flight_until is not null;
create index delivery_open_resend on quipu.delivery_open (endpoint_id, next_at)
  where return_to is not null;
alter table quipu.delivery_open add primary key (endpoint_id, event_id);

-- The single deliveries that have ended.
create table quipu.delivery (
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  tenant_id text collate "C" not null,
  event_type text collate "C" not null,
  recorded_at timestamptz not null, -- the event's
  status text collate "C" not null check (status in ('delivered', 'exhausted')),
  ended_at timestamptz not null,
  fencing_token int not null, -- of the claim whose attempt ended it
  has_paused boolean not null, -- whether that attempt paused the endpoint
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

-- Among indexes of equal cost, as on an empty table, the planner takes the one that was created last: so the
-- primary keys above are added after the other indexes. These settings make the planner assume, now and after
-- each `analyze`, that one endpoint or tenant owns every row.
alter table quipu.delivery_open alter endpoint_id set (n_distinct = 1);
alter table quipu.funding_entry alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', name, 'attname', attribute,
  'inherited', false, 'null_frac', 0::real, 'avg_width', 30, 'n_distinct', 1::real)
from (values ('delivery_open', 'endpoint_id'), ('funding_entry', 'tenant_id')) known (name, attribute);

-- Whether a filter has a type: null is all types but those that are delivered by name only.
create function quipu.is_wanted(types text[], type text) returns boolean
language sql immutable
return case when types is null then type not in ('wallet.balance_low', 'wallet.balance_restored')
  else type = any (types) end;
comment on function quipu.is_wanted is 'for processes';

-- The next `most` entries of a log after a position that have an event of these types (null for all types),
-- oldest first. Rare types are each read by an index of their own.
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
    where types is null and f.tenant_id = tenant and quipu.is_wanted(null, f.type)
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
    where t.type = any (quipu.funding_event_types()))
  ) e (seq, logged_at, event_id, event_type, body)
  order by e.logged_at, e.seq limit most;
end;

-- Whether an event past the cursor of an endpoint has a row of its own, as after a claim by name.
create function quipu.has_delivery_row(endpoint text, event uuid, instant timestamptz) returns boolean
language sql stable
return exists (
  select from quipu.delivery_open d where d.endpoint_id = endpoint and d.event_id = event
) or exists (
  select from quipu.delivery d
  where d.endpoint_id = endpoint and d.event_id = event and d.recorded_at = instant
);

-- The event, if it is past this cursor, matched by the filter of its time, and has no row of its own.
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
    and quipu.is_wanted(case when f.until_seq is null then e.events else f.events end, l.event_type)
    and not quipu.has_delivery_row(c.endpoint_id, event, l.logged_at);
end;

-- The lowest version 7 UUID of an instant.
create function quipu.first_uuid_of(instant timestamptz) returns uuid
language sql immutable
return (lpad(to_hex((extract(epoch from greatest(instant, '1970-01-01Z')) * 1000)::bigint), 12, '0')
  || '70008000000000000000')::uuid;

-- How many deliveries of an endpoint past this position of the log have rows of their own.
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
comment on function quipu.has_delivery_row is 'for processes';
