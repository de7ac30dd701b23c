-- The processes that run, each recorded by itself, so that others find those that are missing.

-- A process of API or worker, with its heartbeats and its stop; kept for a day.
create table quipu.process (
  id text collate "C" primary key,
  program text collate "C" not null check (program in ('api', 'worker')),
  host text not null,
  ahead_ms bigint not null, -- of its clock before the database's
  first_at timestamptz not null,
  steady_at timestamptz not null, -- the first heartbeat after the last pause of more than `gap_seconds`
  seen_at timestamptz not null,
  ended_at timestamptz -- its stop, in order; kept as what replaced an earlier one
);
create trigger limited_change before update on quipu.process
  for each row execute function quipu.refuse_other_change('ahead_ms', 'steady_at', 'seen_at', 'ended_at');

-- Records that a process runs now, and forgets those that have been silent for a day.
create function quipu.record_process(process text, program text, host text, ahead_ms bigint,
  gap_seconds float8, clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  now timestamptz := quipu.store_now(clock_override);
begin
  insert into quipu.process as p (id, program, host, ahead_ms, first_at, steady_at, seen_at)
  values (process, program, host, ahead_ms, now, now, now)
  on conflict (id) do update
  set ahead_ms = excluded.ahead_ms, seen_at = greatest(p.seen_at, now),
    steady_at = case when now - p.seen_at > make_interval(secs => gap_seconds) then now
      else p.steady_at end;
  delete from quipu.process p where p.seen_at < now - interval '1 day';
end
$$;

-- Records that a process stops.
create function quipu.end_process(process text, clock_override timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update quipu.process p set ended_at = quipu.store_now(clock_override)
  where p.id = process and p.ended_at is null;
end;
