-- Monthly partitions of what grows with time and is only ever added to.

-- Makes the partitions of this month and of the next three. Safe at any time and by many at once. A
-- month that already has rows in the default partition stays there: it is found there.
--
-- The month is of the database's clock, never of a caller's: a call makes at most four partitions a
-- table, whoever calls.
--
-- Whoever keeps the partitions need not own the tables: the function runs with its owner's rights, and
-- looks up nothing by a path that its caller chose.
create function quipu.ensure_partitions() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  parent text;
  first_day timestamp;
  partition text;
begin
  perform pg_advisory_xact_lock(hashtextextended('quipu.ensure_partitions', 0));
  foreach parent in array array['delivery', 'delivered_run'] loop
    for ahead in 0..3 loop
      first_day := date_trunc('month', now at time zone 'UTC') + make_interval(months => ahead);
      partition := format('%s_%s', parent, to_char(first_day, 'YYYY_MM'));
      continue when to_regclass('quipu.' || partition) is not null;
      begin
        execute format('create table quipu.%I (like quipu.%I including defaults including constraints)',
          partition, parent);
        execute format('alter table quipu.%I attach partition quipu.%I for values from (%L) to (%L)',
          parent, partition, first_day at time zone 'UTC',
          (first_day + interval '1 month') at time zone 'UTC');
      exception when check_violation then
        null; -- undoes the create
      end;
    end loop;
  end loop;
end
$$;
