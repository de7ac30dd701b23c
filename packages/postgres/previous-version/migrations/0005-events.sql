-- Events, webhook endpoints, and what is to be sent to them. A delivery is one event for one endpoint:
-- a row of `delivery_open` until it has ended, and then one of `delivery`.

-- An event's id tells its instant, to the millisecond: so an id alone leads to its partition.
create table quipu.event (
  tenant_id text collate "C" not null,
  id uuid not null,
  type text collate "C" not null,
  subject_id text collate "C" not null,
  body bytea not null, -- the envelope's final bytes
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  constraint event_id_of_its_instant
    check (uuid_extract_timestamp(id) is not distinct from recorded_at)
) partition by range (recorded_at);
create table quipu.event_default partition of quipu.event default;
-- The one index: a few events of a type are found at once among any number of the others, and a list
-- of all types is put together from theirs.
create index event_newest on quipu.event (tenant_id, type, recorded_at, id);
create trigger append_only before update or delete on quipu.event
  for each row execute function quipu.refuse_change();

-- A commit decides the instant of a settlement under its wallet's lock, when the event's bytes are made.
-- Where that instant is later, it is written over the one in the bytes. That is rare, and cheaper than to
-- put the bytes of every event together in SQL.

-- A version 7 UUID with its random bits kept and another instant.
create function quipu.uuid_at(id uuid, at timestamptz) returns uuid
language sql immutable
return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || right(id::text, 23))::uuid;

-- An event's bytes with this id and these instants. `places` are the offsets, from 0, of the texts of its id,
-- of `occurred_at`, of `recorded_at`, and of the `completed_at` or `credited_at` in its data; all have a
-- fixed width. `redateEvent` in packages/core does the same.
create function quipu.redated_body(body bytea, places int[], id uuid, occurred timestamptz,
  recorded timestamptz)
returns bytea language plpgsql stable as $$
declare
  iso constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  occurred_text bytea := convert_to(to_char(occurred at time zone 'UTC', iso), 'UTF8');
  recorded_text bytea := convert_to(to_char(recorded at time zone 'UTC', iso), 'UTF8');
begin
  body := overlay(body placing convert_to(id::text, 'UTF8') from places[1] + 1);
  body := overlay(body placing occurred_text from places[2] + 1);
  body := overlay(body placing recorded_text from places[3] + 1);
  return overlay(body placing occurred_text from places[4] + 1);
end
$$;

create table quipu.webhook_endpoint (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references quipu.tenant,
  url text not null,
  events text[], -- null: all types, also those that are still to come
  description text,
  status text not null default 'active',
  streak int not null default 0 check (streak >= 0), -- how many in a row ran out of attempts
  paused_at timestamptz,
  secrets jsonb not null, -- newest first
  is_slow boolean not null default false, -- its last answer failed or took long
  round int not null default 1, -- of a delivery of an older one the ladder begins anew
  drained_at timestamptz, -- while it catches up after a pause: until when it has had its share
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

-- What is still to be sent. The due clock is also the lease: while a delivery is out, handed to a
-- queue or leased by a worker, it is due when that ends. What waits at a paused endpoint is held by
-- that alone, so nothing has to be moved when an endpoint is paused, and nothing can be forgotten.
-- It has no reference to its endpoint, which every event would have to lock: whoever claims deletes
-- what an event has left behind for an endpoint that was being removed.
create table quipu.delivery_open (
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  tenant_id text collate "C" not null,
  event_type text collate "C" not null,
  recorded_at timestamptz not null, -- the event's
  next_at timestamptz not null,
  round int not null,
  attempt int not null default 0, -- how many of its ladder were made
  fence int not null default 0,
  recorded_fence int not null default 0, -- whose attempt was the last on record
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
-- The last of these indexes: where all cost the same, as in a table that is empty, it is the one that
-- the planner takes. Before it has seen any row it is told that one endpoint may own them all.
alter table quipu.delivery_open add primary key (endpoint_id, event_id);
alter table quipu.delivery_open alter endpoint_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', 'delivery_open',
  'attname', 'endpoint_id', 'inherited', false, 'null_frac', 0::real, 'avg_width', 30,
  'n_distinct', 1::real);

create table quipu.delivery (
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  tenant_id text collate "C" not null,
  event_type text collate "C" not null,
  recorded_at timestamptz not null, -- the event's
  status text collate "C" not null check (status in ('delivered', 'exhausted')),
  ended_at timestamptz not null,
  fence int not null, -- whose attempt has ended it
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

-- An event's deliveries are written with it, whoever writes it: one for each endpoint that wants it,
-- paused or not. It is due at once; its instant may be ahead of this clock, and is never waited for.
-- `offset 0` keeps the plan what it must be while there is hardly an endpoint: one lookup an event.
create function quipu.fan_out() returns trigger
language plpgsql as $$
begin
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at,
    next_at, round)
  select w.id, e.id, e.tenant_id, e.type, e.recorded_at,
    least(e.recorded_at, quipu.store_now(null)), w.round
  from recorded e
  cross join lateral (
    select * from quipu.webhook_endpoint w where w.tenant_id = e.tenant_id offset 0
  ) w
  where w.events is null or e.type = any (w.events);
  return null;
end
$$;
create trigger fan_out after insert on quipu.event
  referencing new table as recorded
  for each statement execute function quipu.fan_out();
