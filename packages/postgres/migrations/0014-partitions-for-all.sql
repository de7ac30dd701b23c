-- Whoever keeps the partitions need not own the tables: the function runs with its owner's rights, and
-- looks up nothing by a path that its caller chose. A later `create or replace` must say both again.
alter function quipu.ensure_partitions(timestamptz) security definer set search_path = pg_catalog, pg_temp;
