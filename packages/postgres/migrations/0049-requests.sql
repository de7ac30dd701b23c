-- One row a request of a tenant, which the tenant reads, for 30 days. A process writes it after the answer.
create table quipu.request_log (
  tenant_id text collate "C" not null,
  at timestamptz not null, -- when it arrived
  id uuid not null,
  key_id text collate "C" not null,
  request_id text not null,
  method text not null,
  path text not null, -- without the query
  status smallint, -- null: the caller disconnected
  code text,
  address text not null,
  duration_ms real not null,
  body_digest bytea,
  answer_digest bytea,
  primary key (tenant_id, at, id)
) partition by range (at);
create table quipu.request_log_default partition of quipu.request_log default;

-- Adds requests, one element of each array a request. Those that are recorded already stay.
create function quipu.record_requests(tenant_ids text[], ats timestamptz[], ids uuid[], key_ids text[],
  request_ids text[], methods text[], paths text[], statuses int[], codes text[], addresses text[],
  durations_ms float8[], body_digests text[], answer_digests text[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into quipu.request_log
  select r.tenant_id, r.at, r.id, r.key_id, r.request_id, r.method, r.path, r.status, r.code, r.address,
    r.duration_ms, decode(r.body_digest, 'hex'), decode(r.answer_digest, 'hex')
  from unnest(tenant_ids, ats, ids, key_ids, request_ids, methods, paths, statuses, codes, addresses, durations_ms,
    body_digests, answer_digests)
    r (tenant_id, at, id, key_id, request_id, method, path, status, code, address, duration_ms, body_digest,
      answer_digest)
  on conflict do nothing;
end;

-- Drops the partitions of days that ended 30 days ago, and deletes what the default partition has of that age. Returns
-- how many partitions. Gives up soon while a long read blocks it, as later readers would wait behind it.
create function quipu.forget_requests() returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  oldest timestamptz := quipu.store_now(null) - interval '30 days';
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
