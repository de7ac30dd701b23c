-- Payouts. A payout is a row of `payout` that never changes, and at most one row of `payout_end`;
-- without one it is in `processing`, and has a row of `payout_open`.
-- What must hold once and for all lives here, in tables that are not partitioned by time.
-- A payout's id begins with the instant it was created, so lists go by it, newest first.
--
-- What the commit of a payout costs is above all the pages that it touches. So a key that is always
-- looked up whole begins with the column that grows with time, as the ids that tenants choose mostly do
-- too: new rows go beside the last ones. And checks are in words that cost little, as each is read and
-- prepared anew for a statement.

create table quipu.payout (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  transaction_id text collate "C" not null,
  fingerprint text not null,
  quote_id uuid not null,
  resolution_id text collate "C",
  target bigint not null, -- centavos
  created_at timestamptz not null,
  applied boolean not null, -- its quote was used and its price held
  qr_mode text, -- null, as the next two, when the QR could not be read
  merchant_name text,
  bank_code text,
  network_ref text,
  primary key (tenant_id, id),
  unique (transaction_id, tenant_id),
  constraint payout_sound check (
    case when qr_mode is null
      then not applied and merchant_name is null and bank_code is null
      else (qr_mode = 'closed' or qr_mode = 'open')
        and merchant_name is not null and bank_code is not null
        and (not applied or network_ref is not null)
    end
  )
);
create trigger append_only before update or delete on quipu.payout
  for each row execute function quipu.refuse_change();

-- One outcome, ever.
create table quipu.payout_end (
  tenant_id text collate "C" not null,
  payout_id text collate "C" not null,
  status text not null,
  ended_at timestamptz not null,
  error_code text,
  error_message text, -- as the tenant was told it, whatever the sentence is today
  network_payment_id text,
  fence int, -- whose claim settled it; null when it was never applied
  constraint payout_end_sound check (
    case when status = 'completed'
      then error_code is null and error_message is null
      else (status = 'failed' or status = 'rejected' or status = 'cancelled')
        and error_code is not null and error_message is not null
    end
  )
);
create index payout_end_newest on quipu.payout_end (tenant_id, status, payout_id);
-- Made last: of a table that was found empty every index costs the same, and the last one is taken.
alter table quipu.payout_end add primary key (payout_id, tenant_id);
create trigger append_only before update or delete on quipu.payout_end
  for each row execute function quipu.refuse_change();

-- The payouts in `processing`: who may ask the network about them, or from when on somebody should.
-- The key begins with the payout, for a network that calls back by reference alone.
create table quipu.payout_open (
  tenant_id text collate "C" not null,
  payout_id text collate "C" not null,
  opened_at timestamptz not null,
  fence int not null,
  leased boolean not null,
  due_at timestamptz not null, -- while leased, the end of the lease
  asked int not null,
  woken boolean not null default false, -- a hint came while it was leased: due when given back
  unanswered int not null default 0, -- how many questions the network did not answer
  catch_ups smallint not null default 0, -- times brought forward since the network last answered
  catch_up_from timestamptz, -- earliest time to bring it forward; null when the last question was answered
  raised jsonb -- alerts raised, each code with its detail; null when there is none
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);
create index payout_open_due on quipu.payout_open (due_at);
create index payout_open_unanswered on quipu.payout_open (due_at) where catch_up_from is not null;
alter table quipu.payout_open add primary key (payout_id, tenant_id);

-- Paces the payouts that are brought forward after an outage of the network, in all workers. Its row is
-- also the lock under which a release decides whether its payout is the probe.
create table quipu.network_catch_up (
  singleton boolean primary key default true check (singleton),
  next_at timestamptz not null -- when the next payout may be brought forward
);

create function quipu.lock_network_catch_up(moment timestamptz) returns timestamptz
language sql as $$
  insert into quipu.network_catch_up as c (next_at) values (moment)
  on conflict (singleton) do update set next_at = greatest(c.next_at, moment)
  returning next_at
$$;

-- Ends a lease. See `PayoutStore.release` in packages/core/src/payout/ports.ts.
create function quipu.release_payout(tenant text, payout text, holder int, due_seconds float8,
  answered boolean, probe_seconds float8, alerts jsonb, catch_up_seconds float8[], at timestamptz)
returns boolean
language plpgsql as $$
declare
  moment timestamptz := quipu.store_now(at);
  wait_seconds float8 := due_seconds;
begin
  if probe_seconds < due_seconds then
    perform quipu.lock_network_catch_up(moment);
    if not exists (
      select from quipu.payout_open o
      where o.catch_up_from is not null
        and (o.leased or o.due_at <= moment + make_interval(secs => probe_seconds))
        and (o.payout_id <> payout or o.tenant_id <> tenant)
    ) then
      wait_seconds := probe_seconds;
    end if;
  end if;
  update quipu.payout_open o
  set leased = false, woken = false, raised = alerts,
    due_at = moment + make_interval(secs => case when o.woken then 0 else wait_seconds end),
    unanswered = o.unanswered + case when answered then 0 when not answered then 1 else 0 end,
    catch_ups = case when answered then 0 else o.catch_ups end,
    catch_up_from = case
      when answered then null
      when not answered then moment + make_interval(
        secs => catch_up_seconds[least(o.catch_ups + 1, cardinality(catch_up_seconds))])
      else o.catch_up_from
    end
  where o.payout_id = payout and o.tenant_id = tenant and o.fence = holder;
  return found;
end
$$;

-- The network answers again. See `PayoutStore.catchUp` in packages/core/src/payout/ports.ts.
create function quipu.catch_up_payouts(per_second float8, at timestamptz) returns void
language plpgsql as $$
declare
  moment timestamptz := quipu.store_now(at);
  first_at timestamptz;
  waiting int;
begin
  if not exists (
    select from quipu.payout_open o where o.catch_up_from is not null and not o.leased
  ) then
    return;
  end if;
  first_at := quipu.lock_network_catch_up(moment);
  with locked as materialized (
    select o.ctid as row_id, o.catch_up_from from quipu.payout_open o
    where o.catch_up_from is not null and not o.leased
    for update skip locked
  ), placed as (
    select row_id, first_at
      + make_interval(secs => (row_number() over (order by catch_up_from) - 1) / per_second) as slot_at
    from locked
  )
  update quipu.payout_open o
  set due_at = least(o.due_at, greatest(p.slot_at, o.catch_up_from)),
    catch_ups = o.catch_ups + 1, catch_up_from = null
  from placed p where o.ctid = p.row_id;
  get diagnostics waiting = row_count;
  update quipu.network_catch_up
  set next_at = first_at + make_interval(secs => waiting / per_second);
end
$$;

-- All these keys have the tenant in them, some as the first column. A lookup must go by the other one
-- too, and choose the index that has it, also while the tables are empty and every way costs the same.
-- So the planner is told that one tenant may own every row: now, and at every analysis to come.
alter table quipu.qr_resolution alter tenant_id set (n_distinct = 1);
alter table quipu.quote alter tenant_id set (n_distinct = 1);
alter table quipu.payout alter tenant_id set (n_distinct = 1);
alter table quipu.payout_end alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', name, 'attname', 'tenant_id',
  'inherited', false, 'null_frac', 0::real, 'avg_width', 31, 'n_distinct', 1::real)
from unnest(array['qr_resolution', 'quote', 'payout', 'payout_end']) name;
