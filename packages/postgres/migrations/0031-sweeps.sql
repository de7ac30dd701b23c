-- Sweeps: transfers of top-up addresses' balances to the treasury. No row belongs to a tenant, and no function
-- here writes a wallet or a posting.

-- Sweeps that were planned together, with their treasury. Never changes.
create table quipu.sweep_batch (
  id text collate "C" primary key,
  chain text collate "C" not null,
  treasury_account text collate "C" not null, -- the treasury in the format of the chain's logs
  treasury text not null,
  threshold bigint not null check (threshold > 0), -- micro-USDT
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index sweep_batch_newest on quipu.sweep_batch (created_at, id);
select quipu.keep_rows('quipu.sweep_batch');

-- The sweep of one address: its bytes, its signature, its outcome. An address has at most one that has not ended.
create table quipu.sweep_transfer (
  id text collate "C" primary key,
  batch_id text collate "C" not null references quipu.sweep_batch,
  chain text collate "C" not null,
  account text collate "C" not null,
  address text not null,
  index int not null,
  amount bigint not null check (amount > 0), -- micro-USDT
  tx_hash text collate "C" not null unique,
  raw bytea not null, -- what is signed; no other bytes are sent for this row
  transaction text not null, -- the same as JSON, with its decoded members
  expires_at timestamptz not null,
  energy bigint not null check (energy >= 0),
  fee_limit bigint not null check (fee_limit >= 0), -- sun, as the next two
  trx_needed bigint not null check (trx_needed >= 0),
  trx_missing bigint not null check (trx_missing >= 0),
  status text collate "C" not null default 'planned',
  signature bytea check (length(signature) = 65),
  sent_at timestamptz,
  problem text, -- why the last attempt did not send it
  ended_at timestamptz,
  due_at timestamptz,
  fencing_token int not null default 0,
  claim_count int not null default 0,
  foreign key (account, chain) references quipu.top_up_address (account, chain),
  constraint sweep_transfer_hash check (tx_hash = encode(sha256(raw), 'hex')),
  constraint sweep_transfer_of_its_status check (
    status in ('planned', 'signed', 'solid', 'failed', 'expired')
    and (status <> 'planned' or num_nonnulls(signature, sent_at) = 0)
    and (status <> 'signed' or signature is not null)
    and (due_at is not null) = (status in ('planned', 'signed'))
    and (ended_at is null) = (status in ('planned', 'signed'))
  )
);
-- A second transfer of an address would move what the first one did not know of. One exists only after solid
-- blocks have ended the first.
create unique index sweep_transfer_live on quipu.sweep_transfer (account, chain)
  where status in ('planned', 'signed');
create index sweep_transfer_of_account on quipu.sweep_transfer (account, chain);
create index sweep_transfer_of_batch on quipu.sweep_transfer (batch_id, index, id);
create index sweep_transfer_due on quipu.sweep_transfer (due_at) where due_at is not null;
create trigger limited_change before update or delete on quipu.sweep_transfer
  for each row execute function quipu.refuse_other_change('status', 'signature', 'sent_at', 'problem',
    'ended_at', 'due_at', 'fencing_token', 'claim_count');
create trigger end_is_final before update on quipu.sweep_transfer
  for each row when (old.status not in ('planned', 'signed')) execute function quipu.refuse_step();
create trigger signature_is_final before update on quipu.sweep_transfer
  for each row when (old.signature is not null and (new.signature is distinct from old.signature
    or new.status = 'planned'))
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.sweep_transfer');

-- Whether an address is that of a tenant that moves or has moved: two cells must not move one balance.
create function quipu.is_moving_address(account text, chain text) returns boolean
language sql stable
return exists (
  select from quipu.top_up_address a join quipu.moving_tenant m on m.tenant_id = a.tenant_id
  where a.account = is_moving_address.account and a.chain = is_moving_address.chain
);

-- The list of addresses.
create index top_up_address_newest on quipu.top_up_address (chain, created_at, address);

-- The content of a token transfer's bytes: the call `transfer(address,uint256)` with recipient and amount.
create function quipu.transfer_call(recipient text, amount bigint) returns bytea
language sql immutable
return decode('a9059cbb' || lpad(recipient, 64, '0') || lpad(to_hex(amount), 64, '0'), 'hex');

-- Inserts a batch with the transfers of those addresses that have no live one, and returns their ids. Without any it
-- writes nothing; nor without the active token of an admin (`unauthorized`). Refuses a top-up address as the
-- treasury, an address that is not one, and bytes without the transfer of this amount from this address to this
-- treasury.
create function quipu.plan_sweep(batch text, chain text, treasury_account text, treasury text,
  threshold bigint, by jsonb, at timestamptz, expires_at timestamptz, due_seconds float8, items jsonb,
  clock_override timestamptz, out result text, out planned text[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
  unsound text;
  total numeric;
begin
  if acting.person is null then
    result := 'unauthorized';
    return;
  end if;
  result := 'committed';
  if exists (select from quipu.top_up_address a
    where a.account = treasury_account and a.chain = plan_sweep.chain) then
    raise exception 'the treasury % is a top-up address', treasury using errcode = 'check_violation';
  end if;
  select i.id into unsound
  from jsonb_to_recordset(items) i (id text, account text, address text, index int, amount bigint,
    raw text, transaction text)
  left join quipu.top_up_address a on a.account = i.account and a.chain = plan_sweep.chain
    and a.address = i.address and a.index = i.index
  where a.account is null or i.transaction::jsonb ->> 'raw_data_hex' <> i.raw
    or position(quipu.transfer_call(treasury_account, i.amount) in decode(i.raw, 'hex')) = 0
    or position(decode('41' || i.account, 'hex') in decode(i.raw, 'hex')) = 0
    or quipu.is_moving_address(i.account, plan_sweep.chain);
  if found then
    raise exception 'sweep % is not the transfer of its address to the treasury, or the tenant moves', unsound
      using errcode = 'check_violation';
  end if;

  with inserted as (
    insert into quipu.sweep_transfer (id, batch_id, chain, account, address, index, amount, tx_hash, raw,
      transaction, expires_at, energy, fee_limit, trx_needed, trx_missing, due_at)
    select i.id, batch, plan_sweep.chain, i.account, i.address, i.index, i.amount, i.tx_hash,
      decode(i.raw, 'hex'), i.transaction, plan_sweep.expires_at, i.energy, i.fee_limit, i.trx_needed,
      i.trx_missing, quipu.due_after(quipu.store_now(clock_override), due_seconds)
    from jsonb_to_recordset(items) i (id text, account text, address text, index int, amount bigint,
      tx_hash text, raw text, transaction text, energy bigint, fee_limit bigint, trx_needed bigint,
      trx_missing bigint)
    order by i.account
    on conflict (account, chain) where status in ('planned', 'signed') do nothing
    returning id, amount
  ), of_batch as (
    insert into quipu.sweep_batch (id, chain, treasury_account, treasury, threshold, created_by,
      created_at, expires_at)
    select batch, plan_sweep.chain, treasury_account, treasury, threshold, acting.person, at,
      plan_sweep.expires_at
    where exists (select from inserted)
  )
  select array_agg(i.id), sum(i.amount) into planned, total from inserted i;
  if planned is null then
    return;
  end if;
  perform quipu.write_audit(acting, 'sweep.plan', null, batch, at, null, jsonb_build_object(
    'treasury', treasury, 'threshold_minor', threshold::text,
    'expires_at', quipu.iso_text(expires_at), 'transfers', cardinality(planned),
    'amount_minor', total::text));
end
$$;

-- Signs those of the transfers that are planned, for the person whose token is presented, and returns their ids. The
-- new fencing token makes a claim on the unsigned transfer stale.
create function quipu.sign_sweep(batch text, transfers text[], signatures bytea[], by jsonb,
  at timestamptz, clock_override timestamptz, out result text, out signed text[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if acting.person is null then
    result := 'unauthorized';
    return;
  end if;
  result := 'committed';
  with planned as materialized (
    select t.id, s.signature
    from quipu.sweep_transfer t
    join unnest(transfers, signatures) s (id, signature) on s.id = t.id
    where t.id = any (transfers) and t.batch_id = batch and t.status = 'planned'
      and not quipu.is_moving_address(t.account, t.chain)
    order by t.id for no key update of t
  ), changed as (
    update quipu.sweep_transfer t
    set status = 'signed', signature = p.signature, due_at = quipu.store_now(clock_override),
      fencing_token = t.fencing_token + 1, claim_count = 0
    from planned p where t.id = p.id
    returning t.id
  )
  select array_agg(c.id order by c.id) into signed from changed c;
  if signed is null then
    return;
  end if;
  perform quipu.write_audit(acting, 'sweep.sign', null, batch, at, null,
    jsonb_build_object('transfers', signed));
end
$$;

-- Claims live transfers that are due, longest due first. Skips rows that a concurrent call locks; once that call
-- has committed, they are no longer due. Skips tenants that move.
create function quipu.claim_sweeps(most int, lease_seconds float8, clock_override timestamptz)
returns setof quipu.sweep_transfer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(moment, lease_seconds);
begin
  return query
  with due as materialized (
    select t.id from quipu.sweep_transfer t
    where t.due_at <= moment and not quipu.is_moving_address(t.account, t.chain)
    order by t.due_at limit most
    for no key update skip locked
  ), claimed as (
    update quipu.sweep_transfer t
    set fencing_token = t.fencing_token + 1, claim_count = t.claim_count + 1,
      due_at = lease_end
    where t.id = any (array(select d.id from due d))
    returning t as transfer, old.due_at as was_due_at
  )
  select (c.transfer).* from claimed c order by c.was_due_at;
end
$$;

-- Gives a claim back with what the attempt found: the transfer is due again in `due_seconds`. Returns false when
-- the claim is not the newest, or the transfer has ended.
create function quipu.yield_sweep(transfer text, fencing_token int, due_seconds float8, sent timestamptz,
  problem text, clock_override timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due timestamptz := quipu.due_after(quipu.store_now(clock_override), due_seconds);
begin
  update quipu.sweep_transfer t
  set due_at = due,
    sent_at = coalesce(t.sent_at, sent), problem = yield_sweep.problem
  where t.id = transfer and t.fencing_token = yield_sweep.fencing_token and t.due_at is not null;
  return found;
end
$$;

-- Ends a transfer. Returns false when the claim is not the newest, or the transfer has ended.
create function quipu.settle_sweep(transfer text, fencing_token int, status text, at timestamptz)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_plausible(at);
  update quipu.sweep_transfer t set status = settle_sweep.status, ended_at = at, due_at = null
  where t.id = transfer and t.fencing_token = settle_sweep.fencing_token and t.due_at is not null;
  return found;
end
$$;
