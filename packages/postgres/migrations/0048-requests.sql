-- One row a request of a tenant, which the tenant reads. A process writes it after the answer.
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
