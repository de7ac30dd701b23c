-- Deletes rows that nothing needs any more: docs/operations/data.md says which. Each function looks at the age itself, so
-- that no caller deletes a younger row.

-- Unused quotes, readings of QRs and requests before it are deleted: `unusedDays`, and `requestLogDays` of the core.
create function quipu.forgotten_before() returns timestamptz language sql stable set search_path = pg_catalog, pg_temp
return quipu.store_now(null) - interval '30 days';

-- Reads up to `most` quotes between two ids, and deletes those that expired long enough ago and that no payout used. Returns
-- the last id that it read; null after the last one.
create function quipu.forget_quotes(after uuid, before uuid, most int, out reached uuid, out deleted int)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  oldest timestamptz := quipu.forgotten_before();
begin
  with slice as materialized (
    select q.id, q.tenant_id, q.expires_at from quipu.quote q
    where q.id > forget_quotes.after and q.id < forget_quotes.before order by q.id limit most
  ), gone as (
    delete from quipu.quote q using slice s
    where q.id = s.id and q.tenant_id = s.tenant_id and s.expires_at < oldest and not exists (
      select from quipu.payout p where p.quote_id = s.id and p.tenant_id = s.tenant_id and p.hold is not null
    ) returning q.id
  )
  select
    (select s.id from slice s where (select count(*) from slice) = most order by s.id desc limit 1),
    (select count(*) from gone)
  into reached, deleted;
end
$$;

-- Deletes up to `most` old readings of QRs, and up to `most` notes about cases of two years ago, whose ids are
-- below those given. Returns how many of each.
create function quipu.forget_records(resolutions_before text, notes_before text, most int, out resolutions int, out notes int)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(null);
begin
  delete from quipu.qr_resolution r using (
    select o.id, o.tenant_id from quipu.qr_resolution o where o.id < resolutions_before order by o.id limit most
  ) o
  where r.id = o.id and r.tenant_id = o.tenant_id and r.created_at < quipu.forgotten_before();
  get diagnostics resolutions = row_count;
  delete from quipu.case_note n using (
    select o.id from quipu.case_note o where o.id < notes_before order by o.id limit most
  ) o
  where n.id = o.id and n.created_at < moment - interval '2 years';
  get diagnostics notes = row_count;
end
$$;

-- Drops the partitions of days that ended long enough ago, and deletes what the default partition has of that age. Returns
-- how many partitions. Gives up soon while a long read blocks it, as later readers would wait behind it.
create function quipu.forget_requests() returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  oldest timestamptz := quipu.forgotten_before();
  partition name;
  dropped int := 0;
begin
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'quipu.request_log'::regclass and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < (oldest at time zone 'UTC')::date
  loop
    execute format('drop table quipu.%I', partition);
    dropped := dropped + 1;
  end loop;
  delete from quipu.request_log_default r where r.at < oldest;
  return dropped;
end
$$;
