-- The faucet's sends, and the sums that its limits need.

-- A faucet request with its signed bytes.
create table quipu.faucet_send (
  id uuid not null,
  tenant_id text collate "C" not null references quipu.tenant,
  key text collate "C" not null, -- the request's Idempotency-Key as it is stored
  fingerprint text not null,
  chain text not null,
  account text collate "C" not null,
  address text not null,
  amount bigint not null check (amount > 0), -- micro-USDT
  tx_hash text collate "C" not null unique,
  bytes bytea not null, -- the signed transaction; no others are sent for this row
  expires_at timestamptz not null,
  remaining_today bigint not null check (remaining_today >= 0), -- as the tenant got it
  created_at timestamptz not null,
  status text not null default 'submitted' check (status in ('submitted', 'confirmed', 'failed')),
  due_at timestamptz,
  fencing_token int not null,
  claim_count int not null default 0,
  primary key (id, tenant_id),
  unique (tenant_id, key),
  constraint faucet_send_due check ((due_at is not null) = (status = 'submitted'))
);
create index faucet_send_of_tenant on quipu.faucet_send (tenant_id, created_at);
create index faucet_send_to_account on quipu.faucet_send (account, created_at);
create index faucet_send_due on quipu.faucet_send (due_at) where due_at is not null;
create trigger limited_change before update or delete on quipu.faucet_send
  for each row execute function quipu.refuse_other_change('status', 'due_at', 'fencing_token', 'claim_count');
create trigger end_is_final before update on quipu.faucet_send
  for each row when (old.status <> 'submitted') execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.faucet_send');

-- The sum of all tenants' sends of a minute, without those that failed. `at` is the minute's last instant.
create table quipu.faucet_minute (
  at timestamptz primary key,
  amount bigint not null check (amount >= 0)
);
create function quipu.minute_end(at timestamptz) returns timestamptz
language sql stable
return date_trunc('minute', at) + interval '59.999 seconds';

-- Makes the planner look up a send by its key: it assumes that one tenant owns every row.
alter table quipu.faucet_send alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', 'faucet_send',
  'attname', 'tenant_id', 'inherited', false, 'null_frac', 0::real, 'avg_width', 31,
  'n_distinct', 1::real);

-- Accepts a send: `committed`, or `collision` when another send has the same transaction. The caller has
-- checked the limits under the same lock and answers with the code of the limit; this check only stops a
-- process that did not, with an error.
--
-- `send` has the members of the draft by their columns.
create function quipu.accept_faucet_send(send jsonb, limits jsonb, lease_seconds float8, clock_override timestamptz,
  out result text, out accepted_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  given quipu.faucet_send := jsonb_populate_record(null::quipu.faucet_send, send);
  most record;
  since timestamptz;
  of_tenant record;
  to_address numeric;
  in_all numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended('quipu.faucet', 0));
  accepted_at := quipu.store_now(clock_override);
  select * into most from jsonb_to_record(limits) l (per_request bigint, per_tenant bigint, requests_per_tenant int,
    per_address bigint, shared bigint, spacing_seconds float8, window_seconds float8);
  since := accepted_at - make_interval(secs => most.window_seconds);
  select count(*) as requests, max(s.created_at) as newest,
    coalesce(sum(s.amount) filter (where s.status <> 'failed'), 0) as amount
  into of_tenant from quipu.faucet_send s
  where s.tenant_id = given.tenant_id and s.created_at > since;
  select coalesce(sum(s.amount) filter (where s.status <> 'failed'), 0)
  into to_address from quipu.faucet_send s
  where s.account = given.account and s.created_at > since;
  select coalesce(sum(m.amount), 0) into in_all from quipu.faucet_minute m where m.at > since;
  if given.amount > most.per_request or of_tenant.requests >= most.requests_per_tenant
    or of_tenant.amount + given.amount > most.per_tenant or to_address + given.amount > most.per_address
    or in_all + given.amount > most.shared
    or of_tenant.newest > accepted_at - make_interval(secs => most.spacing_seconds) then
    raise exception 'faucet send % exceeds a limit', given.id using errcode = 'check_violation';
  end if;

  insert into quipu.faucet_send (id, tenant_id, key, fingerprint, chain, account, address, amount,
    tx_hash, bytes, expires_at, remaining_today, created_at, fencing_token, due_at)
  values (given.id, given.tenant_id, given.key, given.fingerprint, given.chain, given.account, given.address,
    given.amount, given.tx_hash, given.bytes, given.expires_at, given.remaining_today, accepted_at, 1,
    quipu.due_after(accepted_at, lease_seconds))
  on conflict on constraint faucet_send_tx_hash_key do nothing;
  if not found then
    result := 'collision';
    return;
  end if;
  insert into quipu.faucet_minute as m (at, amount)
  values (quipu.minute_end(accepted_at), given.amount)
  on conflict on constraint faucet_minute_pkey do update set amount = m.amount + excluded.amount;
  result := 'committed';
end
$$;

-- Claims sends that are due, longest due first. Skips rows that a concurrent call locks; once that call has
-- committed, they are no longer due. Skips tenants that move.
create function quipu.claim_faucet_sends(most int, lease_seconds float8, clock_override timestamptz)
returns setof quipu.faucet_send
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(moment, lease_seconds);
begin
  return query
  with due as materialized (
    select s.id from quipu.faucet_send s
    where s.due_at <= moment
      and (select true from quipu.moving_tenant m where m.tenant_id = s.tenant_id limit 1) is null
    order by s.due_at limit most
    for no key update skip locked
  ), claimed as (
    update quipu.faucet_send s
    set fencing_token = s.fencing_token + 1, claim_count = s.claim_count + 1,
      due_at = lease_end
    where s.id = any (array(select d.id from due d))
    returning s as send, old.due_at as was_due_at
  )
  select (c.send).* from claimed c order by c.was_due_at;
end
$$;

-- Gives a claim back: the send is due again in `due_seconds`. Returns false when the claim is not the newest,
-- or the send is settled.
create function quipu.yield_faucet_send(tenant text, send uuid, fencing_token int, due_seconds float8,
  clock_override timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due timestamptz := quipu.due_after(quipu.store_now(clock_override), due_seconds);
begin
  update quipu.faucet_send s set due_at = due
  where s.id = send and s.tenant_id = tenant and s.fencing_token = yield_faucet_send.fencing_token and s.due_at is not null;
  return found;
end
$$;

-- Settles a send. Subtracts a failed send from its minute. Returns false when the claim is not the newest, or
-- the send is settled.
create function quipu.settle_faucet_send(tenant text, send uuid, fencing_token int, status text)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  settled quipu.faucet_send;
begin
  update quipu.faucet_send s set status = settle_faucet_send.status, due_at = null
  where s.id = send and s.tenant_id = tenant and s.fencing_token = settle_faucet_send.fencing_token and s.due_at is not null
  returning * into settled;
  if not found then
    return false;
  end if;
  if settle_faucet_send.status = 'failed' then
    update quipu.faucet_minute m set amount = m.amount - settled.amount
    where m.at = quipu.minute_end(settled.created_at);
  end if;
  return true;
end
$$;
