-- Rate limits that hold for all processes together.

-- Unlogged: a write costs no log and waits for no standby, and after a crash every allowance is whole.
create unlogged table quipu.rate_use (
  key text collate "C" primary key, -- a limit and whom it limits, such as `writes:ten_…`
  whole_at timestamptz not null -- when its whole allowance is available again
) with (fillfactor = 50);

-- Adds requests to those of all processes, and returns how many of them still count. A key's debt is at most a
-- second beyond its allowance, so that nobody is refused for long.
create function quipu.record_rate_use(keys text[], counts bigint[], ages_ms bigint[], limits bigint[],
  clock_override timestamptz) returns float8[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  now timestamptz := quipu.store_now(clock_override);
  used float8[] := array_fill(0::float8, array[cardinality(keys)]);
  given record;
  whole timestamptz;
begin
  for given in
    select g.n, g.key, g.per_second, now - make_interval(secs => g.age_ms / 1000.0) as began,
      make_interval(secs => g.count / g.per_second::float8) as cost
    from unnest(keys, counts, ages_ms, limits) with ordinality g (key, count, age_ms, per_second, n)
    order by g.key -- One order in all processes, so that none waits for another in a circle.
  loop
    insert into quipu.rate_use as u (key, whole_at)
    values (given.key, least(given.began + given.cost, now + interval '2 s'))
    on conflict (key) do update
    set whole_at = least(greatest(u.whole_at, given.began) + given.cost, now + interval '2 s')
    returning u.whole_at into whole;
    used[given.n] := greatest(0, extract(epoch from whole - now)) * given.per_second;
  end loop;
  return used;
end
$$;

-- Deletes keys whose allowance has been whole for a minute. Skips those that a process is recording.
create function quipu.forget_rate_use(clock_override timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  forgotten bigint;
begin
  delete from quipu.rate_use u where u.key in (
    select f.key from quipu.rate_use f
    where f.whole_at < quipu.store_now(clock_override) - interval '1 minute'
    for update skip locked
  );
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;
