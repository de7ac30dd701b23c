-- Monthly partitions of append-only tables.

-- Creates the missing partitions of this month and the next three, for each table. Concurrent calls wait for
-- each other. Skips a month with rows in the default partition, where queries find them as well.
--
-- Takes the month from the database's clock and not from its caller, so that a call creates at most four
-- partitions a table.
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
        null; -- The default partition has rows of this month. The sub-transaction rolls the create back.
      end;
    end loop;
  end loop;
end
$$;
