-- Reconciliation runs: comparisons with the QR network's statement and with the chain, slice by slice. A worker
-- executes them; the differences that they find are in their own table.

-- A comparison with the network's statement or with the chain, and its progress.
create table quipu.reconciliation_run (
  id text collate "C" primary key,
  check_name text collate "C" not null check (check_name in ('network', 'chain')),
  from_at timestamptz, -- this and the next are null for `chain`
  to_at timestamptz,
  scheduled_for date, -- the UTC day for which a worker scheduled it
  attempt int not null default 0, -- how many runs of that day, which no process completed, it comes after
  requested_by text,
  created_at timestamptz not null,
  -- Where the next slice begins: milliseconds since 1970 for `network`, the index of an address for `chain`.
  position bigint not null,
  slices int not null default 0,
  compared bigint not null default 0,
  differences bigint not null default 0,
  failure text, -- why the last slice failed
  completed_at timestamptz,
  mac text, -- by the process that recorded the last slice, of the run as it is
  fencing_token int not null default 0,
  due_at timestamptz not null default '-infinity', -- while leased, the end of the lease
  constraint reconciliation_period check (
    num_nulls(from_at, to_at) = case check_name when 'network' then 0 else 2 end and from_at < to_at
  ),
  constraint scheduled_or_requested check (num_nulls(scheduled_for, requested_by) = 1),
  constraint reconciliation_position check (
    case check_name
      when 'network' then position between extract(epoch from from_at) * 1000
        and extract(epoch from to_at) * 1000
      else position >= 0
    end
  ),
  constraint completed_at_the_end check (
    completed_at is null or check_name <> 'network' or position = extract(epoch from to_at) * 1000
  )
);
-- A day has one scheduled run of a check, however many workers schedule it, until a worker finds it forged.
create unique index reconciliation_run_scheduled on quipu.reconciliation_run (check_name, scheduled_for, attempt)
  where scheduled_for is not null;
create index reconciliation_run_newest on quipu.reconciliation_run (created_at, id);
create index reconciliation_run_completed on quipu.reconciliation_run (check_name, completed_at)
  where completed_at is not null;
create index reconciliation_run_open on quipu.reconciliation_run (created_at) where completed_at is null;
create trigger limited_change before update or delete on quipu.reconciliation_run
  for each row execute function quipu.refuse_other_change('position', 'slices', 'compared', 'differences',
    'failure', 'completed_at', 'mac', 'fencing_token', 'due_at');
create trigger completed_is_final before update on quipu.reconciliation_run
  for each row when (old.completed_at is not null) execute function quipu.refuse_step();
create trigger never_back before update on quipu.reconciliation_run
  for each row when (new.position < old.position or new.fencing_token < old.fencing_token
    or new.compared < old.compared or new.differences < old.differences)
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.reconciliation_run');

-- Inserts a run: the scheduled one of a day, or one that the person whose token is presented requests. Returns
-- `exists` when the check has a run for that day already, other than the one that it replaces, and `unauthorized` when no such token may write.
create function quipu.open_reconciliation(run text, check_name text, period_from timestamptz,
  period_to timestamptz, day date, by jsonb, at timestamptz, start bigint, replaces text,
  clock_override timestamptz)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  acting quipu.actor;
begin
  perform quipu.require_recent(at);
  if day is null then
    acting := quipu.acting_operator(by, array['operator', 'admin'], at);
    if acting.person is null then
      return 'unauthorized';
    end if;
  elsif day > quipu.utc_day(quipu.store_now(clock_override)) then
    raise exception 'the day % has not begun', day using errcode = 'check_violation';
  end if;
  insert into quipu.reconciliation_run (id, check_name, from_at, to_at, scheduled_for, requested_by,
    created_at, position, attempt)
  values (run, open_reconciliation.check_name, period_from, period_to, day, acting.person, at, start,
    coalesce((select r.attempt + 1 from quipu.reconciliation_run r
      where r.id = replaces and r.check_name = open_reconciliation.check_name and r.scheduled_for = day), 0))
  on conflict (check_name, scheduled_for, attempt) where scheduled_for is not null do nothing;
  if not found then
    return 'exists';
  end if;
  if acting.person is not null then
    perform quipu.write_audit(acting, 'reconciliation.request', null, run, at, null,
      jsonb_strip_nulls(jsonb_build_object('check', open_reconciliation.check_name, 'from', quipu.iso_text(period_from),
        'to', quipu.iso_text(period_to))));
  end if;
  return 'opened';
end
$$;

-- Claims the run of these checks that has been due longest, and of equals the oldest: runs whose slices fail again
-- and again leave turns to the others. Returns it with its new fencing token; no row when none is due.
create function quipu.claim_reconciliation(checks text[], lease_seconds float8, clock_override timestamptz)
returns setof quipu.reconciliation_run
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(moment, lease_seconds);
  claimed text;
begin
  select r.id into claimed from quipu.reconciliation_run r
  where r.completed_at is null and r.due_at <= moment and r.check_name = any (checks)
  order by r.due_at, r.created_at limit 1
  for no key update skip locked;
  return query
  update quipu.reconciliation_run r
  set fencing_token = r.fencing_token + 1, due_at = lease_end
  where r.id = claimed
  returning r.*;
end
$$;

-- Records a slice and ends the lease. Returns false when the claim is not the newest, as does the next function.
create function quipu.advance_reconciliation(run text, fencing_token int, reached bigint, compared bigint,
  differences bigint, is_last boolean, at timestamptz, mac text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_recent(at);
  update quipu.reconciliation_run r
  set position = reached, slices = r.slices + 1, compared = r.compared + advance_reconciliation.compared,
    differences = r.differences + advance_reconciliation.differences, failure = null,
    completed_at = case when is_last then at end, mac = advance_reconciliation.mac, due_at = '-infinity'
  where r.id = run and r.fencing_token = advance_reconciliation.fencing_token and r.completed_at is null;
  return found;
end
$$;

create function quipu.yield_reconciliation(run text, fencing_token int, failure text, due_seconds float8,
  clock_override timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due timestamptz := quipu.due_after(quipu.store_now(clock_override), due_seconds);
begin
  update quipu.reconciliation_run r set failure = yield_reconciliation.failure, due_at = due
  where r.id = run and r.fencing_token = yield_reconciliation.fencing_token and r.completed_at is null;
  return found;
end
$$;
