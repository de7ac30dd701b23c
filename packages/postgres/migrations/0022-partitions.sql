-- Partitions of append-only tables, by month or by day.

-- Creates the missing partitions of this month, or day, and the next three, for each table. Concurrent calls wait for
-- each other. Skips one with rows in the default partition, where queries find them as well.
--
-- Takes the time from the database's clock and not from its caller, so that a call creates at most four
-- partitions a table.
create function quipu.ensure_partitions() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  parent text;
  step interval;
  begins timestamp;
  partition text;
begin
  perform pg_advisory_xact_lock(hashtextextended('quipu.ensure_partitions', 0));
  for parent, step in values ('delivery', interval '1 month'), ('delivered_run', '1 month'), ('request_log', '1 day') loop
    for ahead in 0..3 loop
      begins := date_trunc(case step when '1 day' then 'day' else 'month' end, now at time zone 'UTC') + ahead * step;
      partition := format('%s_%s', parent, to_char(begins, case step when '1 day' then 'YYYYMMDD' else 'YYYY_MM' end));
      continue when to_regclass('quipu.' || partition) is not null;
      begin
        execute format('create table quipu.%I (like quipu.%I including defaults including constraints)',
          partition, parent);
        execute format('alter table quipu.%I attach partition quipu.%I for values from (%L) to (%L)',
          parent, partition, begins at time zone 'UTC', (begins + step) at time zone 'UTC');
      exception when check_violation then
        null; -- The default partition has rows of this time. The sub-transaction rolls the create back.
      end;
    end loop;
  end loop;
end
$$;
