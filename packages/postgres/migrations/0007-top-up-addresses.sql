-- The addresses to which tenants send USDT. Rows are never deleted, as a retired address is watched for ever.
-- Each key begins with its most selective column, so that a plan that is made for a few addresses does not
-- scan a million later.

-- Where a tenant sends USDT. `retired_at` changes once, `address_mac` with the key that makes it, and nothing else.
create table quipu.top_up_address (
  chain text collate "C" not null,
  account text collate "C" not null, -- the address in the format of the chain's logs
  address text collate "C" not null, -- the address in the format that tenants see
  index int not null check (index >= 0),
  tenant_id text collate "C" not null references quipu.tenant,
  address_mac text not null, -- id of a key, and its HMAC over tenant, chain, index and address; checked before use
  created_at timestamptz not null,
  retired_at timestamptz,
  primary key (account, chain),
  unique (index, chain),
  unique (address, tenant_id, chain)
);
create unique index top_up_address_in_use on quipu.top_up_address (tenant_id, chain)
  where retired_at is null;
create index top_up_address_of_tenant on quipu.top_up_address (tenant_id, created_at);

-- A sequence, so that an index is used at most once, also when its address was never stored.
create sequence quipu.top_up_index_tron as int minvalue 0 maxvalue 67108863 start 0; -- `address_indexes`

create trigger limited_change before update or delete on quipu.top_up_address
  for each row execute function quipu.refuse_other_change('retired_at', 'address_mac');
create trigger retirement_is_final before update on quipu.top_up_address
  for each row when (old.retired_at is not null and new.retired_at is distinct from old.retired_at)
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.top_up_address');

-- Draws the index of a tenant's next address; null while the tenant has an address in use. Keeps the wallet
-- locked until the transaction ends, so that a concurrent call finds the address that this transaction
-- inserts.
create function quipu.draw_top_up_index(tenant text, chain text) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from quipu.wallet w where w.tenant_id = tenant for no key update;
  if not found then
    raise exception 'tenant % has no wallet', tenant using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from quipu.top_up_address a
    where a.tenant_id = tenant and a.chain = draw_top_up_index.chain and a.retired_at is null
  ) then
    return null;
  end if;
  return case chain when 'tron' then nextval('quipu.top_up_index_tron') end;
end
$$;

-- Inserts the address of a drawn index. Does not check that the address belongs to the index: its MAC does.
create function quipu.insert_top_up_address(tenant text, chain text, index int, account text,
  address text, address_mac text, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_plausible(at);
  if index > (
    select s.last_value from quipu.top_up_index_tron s where s.is_called and chain = 'tron'
  ) is not false then
    raise exception 'index % was not drawn', index using errcode = 'check_violation';
  end if;
  insert into quipu.top_up_address (tenant_id, chain, index, account, address, address_mac, created_at)
  values (tenant, chain, index, account, address, address_mac, at);
end
$$;

-- Retires the tenant's address. Returns `unauthorized` without the active token of an operator or admin, and
-- `stale` when none is in use. Locks the wallet, under whose lock `draw_top_up_index` finds the address in use or
-- draws another one.
create function quipu.retire_top_up_address(tenant text, chain text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor;
  retired jsonb;
begin
  perform quipu.lock_wallets(array[tenant]);
  acting := quipu.acting_operator(by, array['operator', 'admin'], at);
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.top_up_address a set retired_at = at
  where a.tenant_id = tenant and a.chain = retire_top_up_address.chain and a.retired_at is null
  returning jsonb_build_object('chain', a.chain, 'address', a.address) into retired;
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'top_up_address.rotate', tenant, tenant, at,
    retired || jsonb_build_object('retired_at', null),
    retired || jsonb_build_object('retired_at', quipu.iso_text(at)));
  return 'committed';
end
$$;
