-- What many copies of the programs, and of the database, need: rate limits that hold for all processes together,
-- and a halt of payments on a database that was restored.

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

-- A database that was restored to an earlier moment may have forgotten payments that the
-- network has made, and would make them again.

-- The server and the history that this database belongs to. One row.
create table quipu.lineage (
  singleton boolean primary key default true check (singleton),
  system_id bigint not null, -- of the cluster that initdb made, shared by its copies
  timeline bigint not null, -- of its log: each promotion and each restore begins one
  confirmed_at timestamptz not null
);
create trigger limited_change before update on quipu.lineage
  for each row execute function quipu.refuse_other_change('system_id', 'timeline', 'confirmed_at');

-- The first eight digits of a log file's name are its timeline.
create function quipu.current_timeline() returns bigint
language sql set search_path = pg_catalog, pg_temp
return ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint;

-- Whether the database was restored and nobody has confirmed it: its cluster is another one, as after the
-- restore of a dump; or its history is another one and the server has a recovery target. A promoted standby has
-- another history too, but no target: if it was synchronous, it has lost nothing that was confirmed.
create function quipu.is_restored() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return exists (
    select from quipu.lineage l
    where l.system_id <> (select c.system_identifier from pg_control_system() c)
      or concat(current_setting('recovery_target'), current_setting('recovery_target_lsn'),
        current_setting('recovery_target_name'), current_setting('recovery_target_time'),
        current_setting('recovery_target_xid')) <> '' and l.timeline <> quipu.current_timeline()
  );
end
$$;

-- Lets payments begin on a restored database. Only for the role that migrates.
create function quipu.confirm_restore(reason text, at timestamptz) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  before quipu.lineage;
  confirmed quipu.lineage;
begin
  select * into before from quipu.lineage for update;
  if not quipu.is_restored() then
    return false;
  end if;
  update quipu.lineage
  set system_id = (select c.system_identifier from pg_control_system() c),
    timeline = quipu.current_timeline(), confirmed_at = at
  returning * into confirmed;
  perform quipu.write_audit('database owner', 'restore.confirm', null, 'database', at,
    jsonb_build_object('timeline', before.timeline),
    jsonb_build_object('timeline', confirmed.timeline, 'reason', reason));
  return true;
end
$$;

insert into quipu.lineage (system_id, timeline, confirmed_at)
select c.system_identifier, quipu.current_timeline(), now() from pg_control_system() c;
